package roll.grader.math_verify.compare;

import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Stream;
import roll.api.option.Option;
import roll.api.option.Options;

/**
 * The options of the grader, with Math-Verify's names.
 *
 * @param floatRounding decimals for rounding if a number has a decimal point
 * @param numericPrecision significant digits of expressions without symbols
 * @param strict whether the names of symbols matter; otherwise they are matched by order
 * @param relationsForSets whether a known set may be answered by a relation
 * @param boxedMatchPriority priority of boxes; −1 ignores them
 * @param targets notations parsed in a response
 * @param strings the texts of {@link Target#STRING}
 */
public record ComparisonSettings(
    int floatRounding,
    int numericPrecision,
    boolean strict,
    boolean relationsForSets,
    int boxedMatchPriority,
    Set<Target> targets,
    List<String> strings) {
  /** A notation to parse in a response. */
  public enum Target {
    /** Comparison target: LaTeX in its environments, and boxes. */
    LATEX,
    /** Comparison target: plain numbers and expressions of them. */
    EXPR,
    /** Comparison target: given texts, such as the letters of choices. */
    STRING
  }

  /** The default options of the comparison. */
  public static final ComparisonSettings USUAL =
      new ComparisonSettings(
          6, 15, true, false, 50, Set.of(Target.LATEX, Target.EXPR), List.of("A", "B", "C", "D"));

  private static final Option<Integer> ROUNDING =
      Option.integer(
              "float_rounding", 0, 15, "decimals compared where a number has a decimal point")
          .withDefault(USUAL.floatRounding());
  private static final Option<Integer> PRECISION =
      Option.integer(
              "numeric_precision",
              1,
              25,
              "digits compared of expressions without symbols, relative to their size")
          .withDefault(USUAL.numericPrecision());
  private static final Option<Boolean> STRICT =
      Option.flag(
              "strict",
              "symbols have their names; with false they are matched in the order in which they"
                  + " appear, so that `x + 1` is `y + 1`")
          .withDefault(USUAL.strict());
  private static final Option<Boolean> RELATIONS =
      Option.flag(
              "allow_set_relation_comp",
              "a known set may be answered by a relation too: `(5, \\infty)` by `x > 5`")
          .withDefault(USUAL.relationsForSets());
  private static final Option<Integer> BOXES =
      Option.integer(
              "boxed_match_priority",
              -1,
              300,
              "priority of boxes (below); 0 is before everything, −1 reads no boxes")
          .withDefault(USUAL.boxedMatchPriority());
  private static final Option<List<String>> TARGETS =
      Option.texts("targets", "what is read of a response: LaTeX, plain numbers, given strings")
          .withDefault(USUAL.targets().stream().sorted().map(ComparisonSettings::word).toList());
  private static final Option<List<String>> STRINGS =
      Option.texts("strings", "what target `string` reads").withDefault(USUAL.strings());

  /** Options that {@link #of} reads. */
  public static final List<Option<?>> OPTIONS =
      List.of(ROUNDING, PRECISION, STRICT, RELATIONS, BOXES, TARGETS, STRINGS);

  /**
   * Creates the settings of {@code options}.
   *
   * @throws roll.api.option.UserException if a value is not allowed
   */
  public static ComparisonSettings of(Options options) {
    return new ComparisonSettings(
        options.get(ROUNDING),
        options.get(PRECISION),
        options.get(STRICT),
        options.get(RELATIONS),
        options.get(BOXES),
        targets(options),
        strings(options));
  }

  /** Returns whether answers of the kind {@code target} are parsed. */
  public boolean reads(Target target) {
    return targets.contains(target);
  }

  private static Set<Target> targets(Options options) {
    Set<Target> targets = EnumSet.noneOf(Target.class);
    for (String name : options.get(TARGETS)) {
      targets.add(
          Stream.of(Target.values())
              .filter(target -> word(target).equals(name.toLowerCase(Locale.ROOT)))
              .findFirst()
              .orElseThrow(() -> options.wrong(TARGETS, "some of latex, expr, string")));
    }
    if (targets.isEmpty()) {
      throw options.wrong(TARGETS, "some of latex, expr, string");
    }
    return Set.copyOf(targets);
  }

  private static String word(Target target) {
    return target.name().toLowerCase(Locale.ROOT);
  }

  private static List<String> strings(Options options) {
    List<String> strings = options.get(STRINGS);
    if (strings.isEmpty() || strings.stream().anyMatch(String::isBlank)) {
      throw options.wrong(STRINGS, "a list of texts");
    }
    return strings;
  }
}
