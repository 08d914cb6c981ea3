package roll.grader.math_verify.compare;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import roll.grader.math_verify.compare.Term.Matrix;

/** Parses matrices and determinants after {@code \begin}. */
final class MatrixParser {
  private static final Set<String> NAMES =
      Set.of("matrix", "pmatrix", "bmatrix", "Bmatrix", "smallmatrix", "array");

  private static final Set<String> DETERMINANTS = Set.of("vmatrix", "Vmatrix");

  private MatrixParser() {}

  static Term read(LatexParser parser) throws FormulaException {
    String name = name(parser);
    boolean determinant = DETERMINANTS.contains(name);
    if (!NAMES.contains(name) && !determinant) {
      throw new FormulaException("\\begin{" + name + "}");
    }
    if (name.equals("array")) {
      name(parser);
    }
    Matrix matrix = new Matrix(rows(parser));
    if (!parser.next().command("end") || !name(parser).equals(name)) {
      throw new FormulaException("a matrix without its end");
    }
    if (matrix.rows().stream().mapToInt(List::size).distinct().count() != 1) {
      throw new FormulaException("rows of different lengths");
    }
    return determinant ? MatrixAlgebra.determinant(matrix) : matrix;
  }

  private static List<List<Term>> rows(LatexParser parser) throws FormulaException {
    List<List<Term>> rows = new ArrayList<>();
    List<Term> row = new ArrayList<>();
    while (true) {
      row.add(parser.relation());
      if (parser.skip("&")) {
        continue;
      }
      boolean more = parser.skip("\\\\") && !parser.peek().command("end");
      rows.add(List.copyOf(row));
      row.clear();
      if (!more) {
        return List.copyOf(rows);
      }
    }
  }

  private static String name(LatexParser parser) throws FormulaException {
    parser.expect("{");
    StringBuilder name = new StringBuilder();
    while (parser.peek().type() == LatexToken.Type.LETTER || parser.peek().sign("|")) {
      name.append(parser.next().text());
    }
    parser.expect("}");
    return name.toString();
  }
}
