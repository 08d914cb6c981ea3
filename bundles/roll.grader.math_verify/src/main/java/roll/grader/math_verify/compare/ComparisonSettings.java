package roll.grader.math_verify.compare;

import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import roll.api.option.OptionInfo;
import roll.api.option.Options;

/**
 * The options of the grader, named as Math-Verify names them.
 *
 * @param floatRounding decimals to which numbers are rounded where one has a decimal point
 * @param numericPrecision digits in which expressions without symbols agree
 * @param strict whether the names of symbols matter; else they are matched in their order
 * @param relationsForSets whether a known set may be answered by a relation
 * @param boxedMatchPriority of what stands in boxes; −1 for not at all
 * @param targets what is read in a response
 * @param strings texts that {@link Target#STRING} reads
 */
public record ComparisonSettings(
    int floatRounding,
    int numericPrecision,
    boolean strict,
    boolean relationsForSets,
    int boxedMatchPriority,
    Set<Target> targets,
    List<String> strings) {
  /** What is read in a response. */
  public enum Target {
    /** LaTeX in its environments, and boxes. */
    LATEX,
    /** Plain numbers and expressions of them. */
    EXPR,
    /** Given texts, such as the letters of choices. */
    STRING
  }

  private static final String ROUNDING = "float_rounding";
  private static final String PRECISION = "numeric_precision";
  private static final String STRICT = "strict";
  private static final String RELATIONS = "allow_set_relation_comp";
  private static final String BOXES = "boxed_match_priority";
  private static final String TARGETS = "targets";
  private static final String STRINGS = "strings";

  public static final List<OptionInfo> OPTIONS =
      List.of(
          new OptionInfo(
              ROUNDING,
              OptionInfo.Type.INTEGER,
              6,
              "decimals compared where a number has a decimal point"),
          new OptionInfo(
              PRECISION,
              OptionInfo.Type.INTEGER,
              15,
              "digits compared of expressions without symbols"),
          new OptionInfo(
              STRICT,
              OptionInfo.Type.BOOLEAN,
              true,
              "symbols have their names; false: x + 1 is y + 1"),
          new OptionInfo(
              RELATIONS,
              OptionInfo.Type.BOOLEAN,
              false,
              "a known set may be answered by a relation"),
          new OptionInfo(
              BOXES,
              OptionInfo.Type.INTEGER,
              50,
              "priority of boxes; 0 before all, -1 boxes are not read"),
          new OptionInfo(
              TARGETS,
              OptionInfo.Type.TEXTS,
              List.of("latex", "expr"),
              "what is read: latex, expr (plain numbers), string (the strings)"),
          new OptionInfo(
              STRINGS,
              OptionInfo.Type.TEXTS,
              List.of("A", "B", "C", "D"),
              "answers that target string reads"));

  /** Without any options. */
  public static final ComparisonSettings USUAL = of(Options.of("math_verify", Map.of(), OPTIONS));

  /**
   * As {@code options} say.
   *
   * @throws roll.api.option.UserException if a value is not allowed
   */
  public static ComparisonSettings of(Options options) {
    return new ComparisonSettings(
        options.integer(ROUNDING, 0, 15),
        options.integer(PRECISION, 1, 25),
        options.flag(STRICT),
        options.flag(RELATIONS),
        options.integer(BOXES, -1, 300),
        targets(options),
        strings(options));
  }

  /** Whether {@code target} is read. */
  public boolean reads(Target target) {
    return targets.contains(target);
  }

  private static Set<Target> targets(Options options) {
    Set<Target> targets = EnumSet.noneOf(Target.class);
    for (String name : options.texts(TARGETS)) {
      switch (name.toLowerCase(Locale.ROOT)) {
        case "latex" -> targets.add(Target.LATEX);
        case "expr" -> targets.add(Target.EXPR);
        case "string" -> targets.add(Target.STRING);
        default -> throw options.wrong(TARGETS, "some of latex, expr, string");
      }
    }
    if (targets.isEmpty()) {
      throw options.wrong(TARGETS, "some of latex, expr, string");
    }
    return Set.copyOf(targets);
  }

  private static List<String> strings(Options options) {
    List<String> strings = options.texts(STRINGS);
    if (strings.isEmpty() || strings.stream().anyMatch(String::isBlank)) {
      throw options.wrong(STRINGS, "a list of texts");
    }
    return strings;
  }
}
