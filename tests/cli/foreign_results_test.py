# SPDX-FileCopyrightText: The Trammel authors
# SPDX-License-Identifier: BSD-3-Clause
"""Results files that Trammel did not write like this: tables that do not fit together, datasets that
lead into other files, sizes that are only claimed. Each is refused with a message about the file."""
import resource
import shutil
import unittest

import h5py
import numpy

from support import CommandLineTest


class ForeignResults(CommandLineTest):
    def setUp(self):
        super().setUp()
        self.good = self.path("good.h5")
        done = self.trammel("run", self.model, "-q", "-o", self.good, "--output-interval", "0.1")
        self.assertEqual(done.returncode, 0, done.stderr)

    def refused(self, change, message="", limit=None):
        """What export and report say of a file after `change(h5py file)`."""
        bad = self.path("bad.h5")
        shutil.copy(self.good, bad)
        with h5py.File(bad, "r+", libver=("v108", "v108")) as file:
            change(file)
        options = {}
        if limit is not None:
            options["preexec_fn"] = lambda: resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
        for command, out in (("export", "out.csv"), ("report", "out.html")):
            done = self.trammel(command, bad, "-o", self.path(out), **options)
            self.assertEqual(done.returncode, 1, (message, done.stderr))
            self.assertIn(f"trammel: {bad}: cannot be read: {message}", done.stderr)
            self.assertEqual(done.stdout, "")
        return done.stderr

    def datasets(self):
        names = []
        with h5py.File(self.good, "r") as file:
            file.visititems(lambda name, item: names.append(name)
                            if isinstance(item, h5py.Dataset) else None)
        return names

    # ---- tables that do not fit together

    def test_every_table_with_one_row_less(self):
        tables = [name for name in self.datasets() if self.is_table(name)]
        self.assertGreater(len(tables), 20)
        for name in tables:
            def shorten(file, name=name):
                file[name].resize(file[name].shape[0] - 1, axis=0)
            self.refused(shorten)

    def is_table(self, name):
        with h5py.File(self.good, "r") as file:
            return file[name].maxshape is not None and None in file[name].maxshape

    def replace(self, name, make):
        def change(file):
            old = file[name]
            data = make(old[()])
            del file[name]
            file[name] = data
        return change

    def test_names_and_units_that_do_not_match(self):
        longer = lambda old: numpy.concatenate([old, numpy.array([b"more"], dtype="S4")])
        for name in ("body_names", "joint_names"):
            self.refused(self.replace(name, longer))
        self.refused(self.replace("coordinate_units", longer), "coordinate_units has 1 entries "
                                                               "instead of 0")
        self.refused(self.replace("load_units", longer), "load_units has 1 entries instead of 0")

    def test_every_dataset_missing_or_of_another_shape_or_type(self):
        for name in self.datasets():
            short = name.rsplit("/", maxsplit=1)[-1]

            def remove(file, name=name):
                del file[name]
            if name != "final":  # a run that has not ended has none
                self.refused(remove, f"{short} is missing")
            for value in (numpy.float64(1), numpy.zeros((2, 2, 2, 2)), numpy.zeros(7, dtype="f4"),
                          numpy.zeros(3, dtype="i2"), numpy.array([b"x", b"y", b"z", b"w", b"v"])):
                def change(file, name=name, value=value):
                    del file[name]
                    file[name] = value
                bad = self.path("bad.h5")
                shutil.copy(self.good, bad)
                with h5py.File(bad, "r+", libver=("v108", "v108")) as file:
                    change(file)
                done = self.trammel("export", bad, "-o", self.path("out.csv"),
                                    "-o", self.path("out.html"))
                self.assertIn(done.returncode, (0, 1), (name, value, done.stderr))
                self.assertNotIn("internal error", done.stderr)

    def test_indices_that_point_nowhere(self):
        def worst_row(file):
            file["steps/worst_row"][0] = 1000
        self.refused(worst_row, "steps/worst_row names constraint 1000")

        def body(file):
            file["scene/joint_bodies"][0] = [5, 0]
        self.refused(body, "the scene names a body that is not there")

        def time(file):
            file["time"][3] = numpy.nan
        self.refused(time, "time is not increasing at row 3")

        def dimension(file):
            file["scene"].attrs["dimension"] = numpy.int64(7)
        self.refused(dimension, "scene has the dimension 7")

    def test_options_that_no_run_has(self):
        def change(file):
            text = file["options"][()].replace(b'"rtol": 1e-08', b'"rtol": -1e-8')
            del file["options"]
            file["options"] = numpy.bytes_(text)
        self.refused(change, "options: rtol must be at least")

    # ---- other files

    def test_links_are_not_followed(self):
        other = self.path("other.h5")
        shutil.copy(self.good, other)
        for link in (h5py.ExternalLink(other, "/time"), h5py.SoftLink("/kinetic_energy")):
            def change(file, link=link):
                del file["time"]
                file["time"] = link
            self.refused(change, "time is a link to another place")

        def group(file):
            del file["scene"]
            file["scene"] = h5py.ExternalLink(other, "/scene")
        self.refused(group, "scene is a link to another place")

    def test_virtual_datasets_are_not_followed(self):
        other = self.path("other.h5")
        shutil.copy(self.good, other)

        def change(file):
            shape = file["kinetic_energy"].shape
            del file["kinetic_energy"]
            layout = h5py.VirtualLayout(shape=shape, dtype="f8")
            layout[:] = h5py.VirtualSource(other, "kinetic_energy", shape=shape)
            file.create_virtual_dataset("kinetic_energy", layout)

        bad = self.path("bad.h5")
        shutil.copy(self.good, bad)
        with h5py.File(bad, "r+", libver="latest") as file:
            change(file)
        done = self.trammel("export", bad, "-o", self.path("out.csv"))
        self.assertEqual(done.returncode, 1)
        self.assertIn("kinetic_energy is a virtual dataset", done.stderr)

    def test_external_storage_is_not_followed(self):
        raw = self.write("raw.bin", "0123456789abcdef" * 100)

        def change(file):
            shape = file["kinetic_energy"].shape
            del file["kinetic_energy"]
            file.create_dataset("kinetic_energy", shape, dtype="f8",
                                external=[(raw, 0, h5py.h5f.UNLIMITED)])
        self.refused(change, "the data of kinetic_energy are in other files")

    def test_compressed_datasets_are_refused(self):
        def change(file):
            data = file["kinetic_energy"][:]
            del file["kinetic_energy"]
            file.create_dataset("kinetic_energy", data=data, compression="gzip", maxshape=(None,))
        self.refused(change, "kinetic_energy is compressed")

    # ---- sizes

    def test_claimed_sizes_allocate_nothing(self):
        gigabyte = 1 << 30
        for name in ("time", "position", "steps/t"):
            def grow(file, name=name):
                file[name].resize(10**12, axis=0)
            self.refused(grow, limit=gigabyte)

        def names(file):
            del file["body_names"]
            file.create_dataset("body_names", (10**9,), dtype="S200", chunks=(1000,))
        self.refused(names, "body_names claims to be larger than the file", limit=gigabyte)

    def test_rows_that_were_never_written(self):
        def change(file):
            file["time"].resize(2000, axis=0)
        self.refused(change)

    # ---- texts

    def test_texts_of_variable_length_are_refused(self):
        for name in ("status", "message", "version"):
            def change(file, name=name):
                file.attrs[name] = "a text of variable length"
            self.refused(change, f"{name} is not a text of fixed length")


if __name__ == "__main__":
    unittest.main()
