// SPDX-FileCopyrightText: The Trammel authors
// SPDX-License-Identifier: BSD-3-Clause
//
#include "paper/jet_constraints.hpp"

#include "system/joint_table.hpp"

namespace trammel::paper {

namespace {

Vector3 convert(const trammel::Vector3<double>& v) { return {v.x, v.y, v.z}; }

}  // namespace

JetConstraints::JetConstraints(const SystemIn<Spatial>& system) : system_(system) {
  for (int k = 0; k < system.topology.n_joints; ++k) {
    const JointTopology& joint = system.topology.joints[k];
    add_basic_constraints(joint, layout_of<Spatial>(joint.kind), system.parameters.joints[k]);
  }
  for (std::size_t k = 0; k < system.topology.basic_constraints.size(); ++k) {
    const BasicTopology& basic = system.topology.basic_constraints[k];
    JointTopology joint = system.topology.joints[basic.joint];
    joint.row = basic.row;
    add_basic_constraints(joint, layout_of<Spatial>(basic.kind),
                          system.parameters.basic_constraints[k]);
  }
}

std::string JetConstraints::why_not(const SystemIn<Spatial>& system) {
  const auto is_other = [](const JointLayout& layout) {
    return layout.rows() != layout.first_distance();
  };
  const auto reason = [&](int joint) {
    return "joint '" + system.joint_names[joint] +
           "' has constraints other than C, SO and O: use projection mass";
  };
  for (int k = 0; k < system.topology.n_joints; ++k) {
    if (is_other(layout_of<Spatial>(system.topology.joints[k].kind))) return reason(k);
  }
  for (const BasicTopology& basic : system.topology.basic_constraints) {
    if (is_other(layout_of<Spatial>(basic.kind))) return reason(basic.joint);
  }
  return {};
}

void JetConstraints::add_basic_constraints(const JointTopology& joint, const JointLayout& layout,
                                           const JointParameters<double, Spatial>& data) {
  const int ground = system_.topology.ground();
  Basic c{};
  c.i = joint.body_i == ground ? -1 : joint.body_i;
  c.j = joint.body_j == ground ? -1 : joint.body_j;
  c.chi_i = convert(data.point_i);
  c.chi_j = convert(data.point_j);
  c.row = joint.row;
  if (layout.n_coincidence > 0) {
    c.kind = Kind::coincidence;
    basic_constraints_.push_back(c);
    c.row += 3;
  }
  c.kind = Kind::symmetric;
  for (int k = 0; k < layout.n_symmetric; ++k, ++c.row) {
    c.a = convert(data.vector_i[layout.pair[k].i]);
    c.b = convert(data.vector_j[layout.pair[k].j]);
    basic_constraints_.push_back(c);
  }
  c.kind = Kind::orthogonal;
  for (int k = 0; k < layout.n_orthogonality; ++k, ++c.row) {
    c.a = convert(data.vector_i[k]);
    basic_constraints_.push_back(c);
  }
}

Vector3 JetConstraints::part3(const VectorX& y, int body) {
  return body < 0 ? Vector3::Zero() : Vector3(y.segment<3>(7 * body));
}
Vector4 JetConstraints::part4(const VectorX& y, int body) {
  return body < 0 ? Vector4::Zero() : Vector4(y.segment<4>(7 * body + 3));
}
Vector4 JetConstraints::theta_of(const VectorX& y, int body) {
  return body < 0 ? Vector4(1, 0, 0, 0) : part4(y, body);
}

VectorX JetConstraints::calc_g(const VectorX& y) const {
  VectorX g(rows());
  for (const Basic& c : basic_constraints_) {
    const Vector4 ti = theta_of(y, c.i), tj = theta_of(y, c.j);
    switch (c.kind) {
      case Kind::coincidence:
        g.segment<3>(c.row) =
            part3(y, c.j) + rotate(tj, c.chi_j) - part3(y, c.i) - rotate(ti, c.chi_i);
        break;
      case Kind::symmetric: g[c.row] = rotate(ti, c.a).dot(rotate(tj, c.b)); break;
      case Kind::orthogonal:
        g[c.row] = rotate(ti, c.a).dot(part3(y, c.j) + rotate(tj, c.chi_j) - part3(y, c.i)) -
                   c.a.dot(c.chi_i);
        break;
    }
  }
  return g;
}

MatrixX JetConstraints::calc_dg(const VectorX& y) {
  ++counts.dg;
  MatrixX dg = MatrixX::Zero(rows(), n());
  for (const Basic& c : basic_constraints_) {
    const Vector4 ti = theta_of(y, c.i), tj = theta_of(y, c.j);
    const int k = c.row, i = 7 * c.i, j = 7 * c.j;
    if (c.kind == Kind::coincidence) {
      if (c.j >= 0) dg.block<3, 3>(k, j).setIdentity();
      if (c.j >= 0) dg.block<3, 4>(k, j + 3) = 2 * make_A(tj, c.chi_j);
      if (c.i >= 0) dg.block<3, 3>(k, i) = -Matrix3::Identity();
      if (c.i >= 0) dg.block<3, 4>(k, i + 3) = -2 * make_A(ti, c.chi_i);
    } else if (c.kind == Kind::symmetric) {
      const Vector3 s = rotate(ti, c.a), t = rotate(tj, c.b);
      if (c.i >= 0) dg.block<1, 4>(k, i + 3) = 2 * t.transpose() * make_A(ti, c.a);
      if (c.j >= 0) dg.block<1, 4>(k, j + 3) = 2 * s.transpose() * make_A(tj, c.b);
    } else {
      const Vector3 s = rotate(ti, c.a);
      const Vector3 d = part3(y, c.j) + rotate(tj, c.chi_j) - part3(y, c.i);
      if (c.j >= 0) dg.block<1, 3>(k, j) = s.transpose();
      if (c.j >= 0) dg.block<1, 4>(k, j + 3) = 2 * s.transpose() * make_A(tj, c.chi_j);
      if (c.i >= 0) dg.block<1, 3>(k, i) = -s.transpose();
      if (c.i >= 0) dg.block<1, 4>(k, i + 3) = 2 * d.transpose() * make_A(ti, c.a);
    }
  }
  return dg;
}

VectorX JetConstraints::calc_d2g(const VectorX& y, const VectorX& y1) {
  counts.d2g += rows();
  VectorX result(rows());
  for (const Basic& c : basic_constraints_) {
    const Vector4 ti = theta_of(y, c.i), tj = theta_of(y, c.j);
    const Vector4 wi = part4(y1, c.i), wj = part4(y1, c.j);
    // d²(Rx)(w, w) = 2 R(w) x
    if (c.kind == Kind::coincidence) {
      result.segment<3>(c.row) = 2 * rotate(wj, c.chi_j) - 2 * rotate(wi, c.chi_i);
    } else if (c.kind == Kind::symmetric) {
      result[c.row] = 2 * rotate(tj, c.b).dot(rotate(wi, c.a)) +
                      2 * rotate(ti, c.a).dot(rotate(wj, c.b)) +
                      8 * (make_A(ti, c.a) * wi).dot(make_A(tj, c.b) * wj);
    } else {
      const Vector3 d = part3(y, c.j) + rotate(tj, c.chi_j) - part3(y, c.i);
      const Vector3 s1 = 2 * make_A(ti, c.a) * wi;
      const Vector3 d1 = part3(y1, c.j) + 2 * make_A(tj, c.chi_j) * wj - part3(y1, c.i);
      result[c.row] = 2 * d.dot(rotate(wi, c.a)) + 2 * rotate(ti, c.a).dot(rotate(wj, c.chi_j)) +
                      2 * s1.dot(d1);
    }
  }
  return result;
}

// d²gⁱ in the coordinates (r_i, θ_i, r_j, θ_j) of its two bodies.
JetConstraints::Matrix14 JetConstraints::calc_hessian(const Basic& c, int component,
                                                      const VectorX& y) const {
  Matrix14 h = Matrix14::Zero();
  const Vector4 ti = theta_of(y, c.i), tj = theta_of(y, c.j);
  if (c.kind == Kind::coincidence) {
    const Vector3 e = Vector3::Unit(component);
    h.block<4, 4>(10, 10) = 2 * make_Q(e, c.chi_j);
    h.block<4, 4>(3, 3) = -2 * make_Q(e, c.chi_i);
    return h;
  }
  const bool symmetric = c.kind == Kind::symmetric;
  const Vector3& b = symmetric ? c.b : c.chi_j;
  const Vector3 s = rotate(ti, c.a);
  const Vector3 t =
      symmetric ? rotate(tj, b) : Vector3(part3(y, c.j) + rotate(tj, b) - part3(y, c.i));
  const Matrix34 ai = make_A(ti, c.a), aj = make_A(tj, b);
  h.block<4, 4>(3, 3) = 2 * make_Q(t, c.a);
  h.block<4, 4>(10, 10) = 2 * make_Q(s, b);
  h.block<4, 4>(3, 10) = 4 * ai.transpose() * aj;
  h.block<4, 4>(10, 3) = h.block<4, 4>(3, 10).transpose();
  if (!symmetric) {
    h.block<3, 4>(7, 3) = 2 * ai;
    h.block<4, 3>(3, 7) = 2 * ai.transpose();
    h.block<3, 4>(0, 3) = -2 * ai;
    h.block<4, 3>(3, 0) = -2 * ai.transpose();
  }
  return h;
}

// d³gⁱ(v, ·, ·): the derivative of the matrix above along v.
JetConstraints::Matrix14 JetConstraints::calc_third(const Basic& c, const VectorX& y,
                                                    const VectorX& v) const {
  Matrix14 h = Matrix14::Zero();
  if (c.kind == Kind::coincidence) return h;
  const bool symmetric = c.kind == Kind::symmetric;
  const Vector3& b = symmetric ? c.b : c.chi_j;
  const Vector4 ti = theta_of(y, c.i), tj = theta_of(y, c.j);
  const Vector4 wi = part4(v, c.i), wj = part4(v, c.j);
  const Matrix34 ai = make_A(ti, c.a), aj = make_A(tj, b);
  const Matrix34 ai1 = make_A(wi, c.a), aj1 = make_A(wj, b);
  const Vector3 s1 = 2 * ai * wi;
  Vector3 t1 = 2 * aj * wj;
  if (!symmetric) t1 += part3(v, c.j) - part3(v, c.i);
  h.block<4, 4>(3, 3) = 2 * make_Q(t1, c.a);
  h.block<4, 4>(10, 10) = 2 * make_Q(s1, b);
  h.block<4, 4>(3, 10) = 4 * (ai1.transpose() * aj + ai.transpose() * aj1);
  h.block<4, 4>(10, 3) = h.block<4, 4>(3, 10).transpose();
  if (!symmetric) {
    h.block<3, 4>(7, 3) = 2 * ai1;
    h.block<4, 3>(3, 7) = 2 * ai1.transpose();
    h.block<3, 4>(0, 3) = -2 * ai1;
    h.block<4, 3>(3, 0) = -2 * ai1.transpose();
  }
  return h;
}

JetConstraints::Vector14 JetConstraints::gather(const Basic& c, const VectorX& v) {
  Vector14 local = Vector14::Zero();
  if (c.i >= 0) local.head<7>() = v.segment<7>(7 * c.i);
  if (c.j >= 0) local.tail<7>() = v.segment<7>(7 * c.j);
  return local;
}

void JetConstraints::scatter(const Basic& c, const Matrix14& local, double factor, MatrixX& sum) {
  const int body[2] = {c.i, c.j};
  for (int p = 0; p < 2; ++p) {
    for (int q = 0; q < 2; ++q) {
      if (body[p] < 0 || body[q] < 0) continue;
      sum.block<7, 7>(7 * body[p], 7 * body[q]) += factor * local.block<7, 7>(7 * p, 7 * q);
    }
  }
}

MatrixX JetConstraints::calc_d2g_sum(const VectorX& y, const VectorX& mu) {
  counts.d2g += rows();
  MatrixX sum = MatrixX::Zero(n(), n());
  for (const Basic& c : basic_constraints_) {
    for (int k = 0; k < c.rows(); ++k) scatter(c, calc_hessian(c, k, y), mu[c.row + k], sum);
  }
  return sum;
}

JetConstraints::Second JetConstraints::calc_second(const VectorX& y, const VectorX& v,
                                                   const VectorX& alpha, const VectorX& beta) {
  counts.d2g += rows();
  Second s{MatrixX::Zero(rows(), n()), MatrixX::Zero(n(), n()), MatrixX::Zero(n(), n())};
  for (const Basic& c : basic_constraints_) {
    const Vector14 local_v = gather(c, v);
    for (int k = 0; k < c.rows(); ++k) {
      const int row = c.row + k;
      const Matrix14 h = calc_hessian(c, k, y);
      const Vector14 hv = h * local_v;
      if (c.i >= 0) s.d2g_v.block<1, 7>(row, 7 * c.i) += hv.head<7>().transpose();
      if (c.j >= 0) s.d2g_v.block<1, 7>(row, 7 * c.j) += hv.tail<7>().transpose();
      scatter(c, h, beta[row], s.beta_sum);
      scatter(c, h, alpha[row], s.alpha_sum);
    }
    if (c.kind != Kind::coincidence && alpha[c.row] != 0.0) {
      counts.d3g += c.has_third();
      scatter(c, calc_third(c, y, v), alpha[c.row], s.beta_sum);
    }
  }
  return s;
}

}  // namespace trammel::paper
