package roll.grader.math_verify.compare;

import java.util.Set;

/** The names of commands: symbols, and all commands that the parser knows. */
final class LatexSymbols {
  private static final Set<String> LETTERS =
      words(
          """
          alpha beta gamma delta epsilon varepsilon zeta eta theta vartheta iota kappa lambda mu nu
          xi pi rho sigma tau upsilon phi varphi chi psi omega Gamma Delta Theta Lambda Xi Pi Sigma
          Upsilon Phi Psi Omega ell hbar aleph top setR setN setZ setQ setC setF setO setL setP
          """);

  /** Commands that are not symbols; a name that begins with one is split. */
  private static final Set<String> OTHERS =
      words(
          """
          infty emptyset varnothing lfloor rfloor lceil rceil langle rangle begin end frac binom
          dbinom tbinom sqrt overline bar vec hat sin cos tan cot sec csc sinh cosh tanh arcsin
          arccos arctan arccot ln log exp gcd lcm max min det cdot times ast div pm mp cup cap
          setminus backslash sum prod ne neq lt le leq leqslant gt ge geq geqslant in approx mid vert
          """);

  private LatexSymbols() {}

  private static Set<String> words(String text) {
    return Set.of(text.strip().split("\\s+"));
  }

  /** Returns whether {@code command} is a symbol. */
  static boolean isLetter(String command) {
    return LETTERS.contains(command);
  }

  /**
   * Returns the length of the longest known command that {@code command} begins with; 0 without
   * one.
   */
  static int known(String command) {
    for (int length = command.length(); length > 1; length--) {
      String name = command.substring(0, length);
      if (LETTERS.contains(name) || OTHERS.contains(name)) {
        return length;
      }
    }
    return 0;
  }
}
