package roll.grader.math_verify.compare;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import roll.grader.math_verify.compare.Term.Matrix;
import roll.grader.math_verify.compare.Term.Num;

/**
 * Computes sums, products and powers of matrices by element; empty if sizes do not match or
 * elements grow too large.
 */
final class MatrixAlgebra {
  /** Maximum number of terms in all elements of a result. */
  private static final int LARGEST = 20_000;

  private static final int HIGHEST_POWER = 64;
  private static final int LARGEST_DETERMINANT = 5;

  private MatrixAlgebra() {}

  static Optional<Matrix> sum(Matrix a, Matrix b) {
    if (rows(a) != rows(b) || columns(a) != columns(b) || size(a) + size(b) > LARGEST) {
      return Optional.empty();
    }
    return Optional.of(matrix(rows(a), columns(a), (i, j) -> Terms.sum(at(a, i, j), at(b, i, j))));
  }

  static Optional<Matrix> scaled(Term factor, Matrix matrix) {
    long growth = size(matrix) + (long) size(factor) * rows(matrix) * columns(matrix);
    return growth > LARGEST
        ? Optional.empty()
        : Optional.of(
            matrix(
                rows(matrix), columns(matrix), (i, j) -> Terms.product(factor, at(matrix, i, j))));
  }

  static Optional<Matrix> product(Matrix a, Matrix b) {
    long growth = (long) size(a) * columns(b) + (long) size(b) * rows(a);
    if (columns(a) != rows(b) || growth > LARGEST) {
      return Optional.empty();
    }
    return Optional.of(
        matrix(
            rows(a),
            columns(b),
            (i, j) -> {
              Term total = Terms.product(at(a, i, 0), at(b, 0, j));
              for (int k = 1; k < columns(a); k++) {
                total = Terms.sum(total, Terms.product(at(a, i, k), at(b, k, j)));
              }
              return total;
            }));
  }

  /** Returns an integer power of a square matrix. */
  static Optional<Matrix> power(Matrix matrix, Term exponent) {
    if (!(exponent instanceof Num n)
        || !n.bottom().equals(java.math.BigInteger.ONE)
        || n.top().signum() <= 0
        || n.top().bitLength() > 16
        || n.top().intValue() > HIGHEST_POWER) {
      return Optional.empty();
    }
    Optional<Matrix> result = Optional.of(matrix);
    for (int i = 1; i < n.top().intValue() && result.isPresent(); i++) {
      result = product(result.get(), matrix);
    }
    return result;
  }

  static Matrix transposed(Matrix matrix) {
    return matrix(columns(matrix), rows(matrix), (i, j) -> at(matrix, j, i));
  }

  /**
   * Returns the determinant, expanded along the first row.
   *
   * @throws FormulaException if the matrix is not square, or too large
   */
  static Term determinant(Matrix matrix) throws FormulaException {
    int size = rows(matrix);
    if (size != columns(matrix) || size > LARGEST_DETERMINANT || size(matrix) > LARGEST / 100) {
      throw new FormulaException("a determinant");
    }
    if (size == 1) {
      return at(matrix, 0, 0);
    }
    Term total = Num.of(0);
    for (int column = 0; column < size; column++) {
      int without = column;
      Matrix minor =
          matrix(size - 1, size - 1, (i, j) -> at(matrix, i + 1, j < without ? j : j + 1));
      Term part = Terms.product(at(matrix, 0, column), determinant(minor));
      total = Terms.sum(total, column % 2 == 0 ? part : Terms.negative(part));
    }
    return total;
  }

  private interface Element {
    Term at(int row, int column);
  }

  private static Matrix matrix(int rows, int columns, Element element) {
    List<List<Term>> all = new ArrayList<>();
    for (int i = 0; i < rows; i++) {
      List<Term> row = new ArrayList<>();
      for (int j = 0; j < columns; j++) {
        row.add(element.at(i, j));
      }
      all.add(List.copyOf(row));
    }
    return new Matrix(List.copyOf(all));
  }

  private static Term at(Matrix matrix, int row, int column) {
    return matrix.rows().get(row).get(column);
  }

  private static int rows(Matrix matrix) {
    return matrix.rows().size();
  }

  private static int columns(Matrix matrix) {
    return matrix.rows().getFirst().size();
  }

  /** Returns the number of terms; a long number counts as its number of words. */
  private static int size(Term term) {
    int size = term instanceof Num n ? 1 + (n.top().bitLength() + n.bottom().bitLength()) / 64 : 1;
    for (Term inner : term.inside()) {
      size += size(inner);
    }
    return size;
  }
}
