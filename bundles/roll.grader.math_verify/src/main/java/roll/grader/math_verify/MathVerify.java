package roll.grader.math_verify;

import static roll.grader.math_verify.compare.ComparisonSettings.Target.EXPR;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import roll.api.option.Option;
import roll.api.option.Options;
import roll.api.reward.AnswerGrader;
import roll.api.reward.RollGrader;
import roll.cas.SymbolicEvaluator;
import roll.grader.math_verify.compare.Comparison;
import roll.grader.math_verify.compare.ComparisonSettings;
import roll.grader.math_verify.compare.DirectComparison;
import roll.grader.math_verify.compare.FormulaException;
import roll.grader.math_verify.compare.Relations;
import roll.grader.math_verify.compare.SymbolicValues;
import roll.grader.math_verify.compare.Term;
import roll.grader.math_verify.extract.AnswerExtraction;
import roll.grader.math_verify.extract.CandidateAnswer;

/**
 * Grades mathematical equality like Math-Verify 0.8.0. Plain numbers, words and equal terms are
 * compared directly, everything else by computer algebra within five seconds.
 */
@Component(name = "roll.grader.math_verify")
@RollGrader("math_verify")
public final class MathVerify implements AnswerGrader {
  private static final Duration LIMIT = Duration.ofSeconds(5);

  /** Maximum number of candidates, so that a response of a thousand formulas ends soon. */
  private static final int TRIED = 20;

  /** Formatting characters around an answer that are not part of it. */
  private static final Pattern DRESS = Pattern.compile("^[\\s$]+|(?<!\\\\)[\\s$.,;]+$");

  private static final Pattern DECIMAL = Pattern.compile("[-+]?\\d+,\\d+");
  private static final Pattern THOUSANDS = Pattern.compile("[-+]?[1-9]\\d{0,2},\\d{3}");

  private final ComparisonSettings settings;
  private final AnswerExtraction extraction;
  private final SymbolicEvaluator algebra;

  /** Creates the Math-Verify grader. */
  @Activate
  public MathVerify() {
    this(ComparisonSettings.USUAL, new SymbolicEvaluator("math_verify", LIMIT));
  }

  private MathVerify(ComparisonSettings settings, SymbolicEvaluator algebra) {
    this.settings = settings;
    this.extraction = new AnswerExtraction(settings);
    this.algebra = algebra;
  }

  @Override
  public List<Option<?>> options() {
    return ComparisonSettings.OPTIONS;
  }

  @Override
  public AnswerGrader configure(Options options) {
    return new MathVerify(ComparisonSettings.of(options), algebra);
  }

  /** A candidate answer as text, and as a term if it can be parsed. */
  private record Answer(String text, @Nullable Term term) {}

  @Override
  public String description() {
    return "mathematical equality: numbers, sets, intervals, equations, matrices, expressions";
  }

  @Override
  public boolean equal(String gold, String response) {
    Answer given = answer(extraction.response(response));
    return given != null && (equal(gold, given) || equalDecimal(gold, given));
  }

  /** Compares a known number whose comma may be a decimal point or separate a list. */
  private boolean equalDecimal(String gold, Answer given) {
    boolean comma =
        DECIMAL.matcher(gold.strip()).matches() && !THOUSANDS.matcher(gold.strip()).matches();
    return comma && settings.reads(EXPR) && equal(gold.replace(',', '.'), given);
  }

  private boolean equal(String gold, Answer given) {
    Answer known = answer(extraction.gold(gold));
    if (known == null) {
      return false;
    }
    String text = known.text().strip();
    if (!text.isEmpty() && text.equals(given.text().strip()) && !undefined(known)) {
      return true;
    }
    return known.term() != null && given.term() != null && same(known.term(), given.term());
  }

  @Override
  public Optional<String> answer(String response) {
    return Optional.ofNullable(answer(extraction.response(response)))
        .map(found -> DRESS.matcher(found.text()).replaceAll(""));
  }

  /**
   * Returns the first candidate that is a box or can be parsed, otherwise the first as text; null
   * without candidates.
   */
  private static @Nullable Answer answer(List<CandidateAnswer> spans) {
    for (CandidateAnswer span : spans.subList(0, Math.min(TRIED, spans.size()))) {
      try {
        return new Answer(span.content(), span.read());
      } catch (FormulaException e) {
        if (span.kind() == CandidateAnswer.Kind.BOX) {
          return new Answer(span.content(), null);
        }
      }
    }
    return spans.isEmpty() ? null : new Answer(spans.getFirst().content(), null);
  }

  /** Returns whether the answer divides by 0, and so equals nothing. */
  private static boolean undefined(Answer answer) {
    return answer.term() != null
        && Boolean.FALSE.equals(DirectComparison.same(answer.term(), answer.term(), 0));
  }

  private boolean same(Term gold, Term response) {
    boolean plain =
        settings.strict() && !Relations.isRelation(gold) && !Relations.isRelation(response);
    Boolean fast = plain ? DirectComparison.same(gold, response, settings.floatRounding()) : null;
    if (fast != null) {
      return fast;
    }
    try {
      return algebra.call(
          engine -> {
            try {
              return new Comparison(new SymbolicValues(engine, settings), settings)
                  .same(gold, response);
            } catch (FormulaException e) {
              return false;
            }
          });
    } catch (ArithmeticException e) {
      return false;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }
}
