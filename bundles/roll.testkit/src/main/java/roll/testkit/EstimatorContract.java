package roll.testkit;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import roll.api.data.ColumnKey;
import roll.api.data.ColumnMap;
import roll.api.estimator.AdvantageEstimator;
import roll.api.estimator.Advantages;
import roll.api.estimator.EstimatorInfo;
import roll.api.estimator.TokenRewards;
import roll.api.option.OptionType;
import roll.api.option.UserException;
import roll.math.Whitening;
import roll.runtime.option.YamlOptions;

/**
 * The guarantees of every {@link AdvantageEstimator}. A plugin's test extends this class, creates
 * the estimator, declares which laws it obeys, and inherits the tests.
 */
public abstract class EstimatorContract {
  /** Maximum distance to the numbers of an implementation in single precision. */
  protected static final double TOLERANCE = 2e-6;

  private static final double[] GAMMAS = {1, 0.9};

  /** Algebraic laws that an estimator may claim. */
  public enum Law {
    /** Adding a constant to the outcome of every sample of a group changes no advantage. */
    SHIFT,
    /** Twice the rewards give twice the advantages. */
    SCALE,
    /** Twice the rewards give the same advantages, up to the epsilon in divisors. */
    SCALE_FREE,
    /** The advantages of equally long samples of a group add up to 0. */
    SUM_ZERO
  }

  /** Returns a new instance of the estimator under test. */
  protected abstract AdvantageEstimator estimator();

  /** Returns the laws that the estimator obeys without discount. */
  protected Set<Law> laws() {
    return Set.of();
  }

  /** Returns the advantages and returns with the default options. */
  protected final Advantages estimate(TokenRewards rewards) {
    return estimate(rewards, Map.of());
  }

  /** Returns the advantages and returns with {@code args} as {@code adv_estimator_args}. */
  protected final Advantages estimate(TokenRewards rewards, Map<String, Object> args) {
    AdvantageEstimator estimator = estimator();
    return estimator.estimate(
        rewards, YamlOptions.checked("adv_estimator_args", args, estimator.info().options()));
  }

  /** Returns the whitened advantages. */
  protected final double[] whitened(TokenRewards rewards) {
    double[] advantages = estimate(rewards).advantages().clone();
    Whitening.whiten(advantages, rewards.layout().mask());
    return advantages;
  }

  private EstimatorCases cases() {
    return new EstimatorCases(estimator().info().needs());
  }

  @ContractTest(
      value =
          "An estimator has a summary, a formula, a paper, valid option declarations and an "
              + "example that it can compute.",
      look = "info()")
  void explainsItself() {
    var info = estimator().info();
    assertFalse(info.summary().isBlank(), "no summary");
    assertFalse(info.formula().isBlank(), "no formula");
    assertFalse(info.paper().isBlank(), "no paper");
    OptionDeclarations.check(info.options());
    assertTrue(info.example().samples() > 0, "no example");
    check(info.example(), estimate(info.example()));
  }

  @ContractTest(
      value = "The result depends on gamma and lambda exactly if info() names them.",
      look = "reads in info(), and the formula")
  void readsTheKeysItNames() {
    TokenRewards plain = cases().random(1).withDiscounts(1, 1);
    Set<String> read = new HashSet<>();
    if (!Arrays.equals(
        estimate(plain).advantages(), estimate(plain.withDiscounts(.5, 1)).advantages())) {
      read.add(EstimatorInfo.GAMMA);
    }
    if (!Arrays.equals(
        estimate(plain).advantages(), estimate(plain.withDiscounts(1, .5)).advantages())) {
      read.add(EstimatorInfo.LAMBDA);
    }
    assertEquals(estimator().info().reads(), read);
  }

  @ContractTest(
      value = "Unknown options and unknown words are refused, even for an empty batch.",
      look = "options in info(), and what estimate() does before it checks them")
  void refusesWrongOptions() {
    TokenRewards nothing =
        cases().random(TestLayout.of(new int[] {0}, new int[0]), EstimatorCases.groups(0), 1);
    assertThrows(UserException.class, () -> estimate(nothing, Map.of("no such option", 1)));
    estimator().info().options().stream()
        .filter(option -> option.type() instanceof OptionType.Text)
        .forEach(
            option ->
                assertThrows(
                    UserException.class,
                    () -> estimate(nothing, Map.of(option.name(), "no such word")),
                    option.name()));
  }

  @ContractTest(
      value =
          "There is one advantage and one return per token, finite everywhere and 0 outside "
              + "the mask.",
      look = "estimate(): divisions and logarithms, and the use of the mask")
  void givesOneCellPerToken() {
    for (double gamma : GAMMAS) {
      TokenRewards rewards = cases().random(gamma);
      check(rewards, estimate(rewards));
    }
  }

  @ContractTest(
      value = "The same input gives the same result bit for bit, and is not modified.",
      look = "estimate(): state between calls, and arrays of the input that it writes")
  void isAFunctionOfItsInput() {
    for (double gamma : GAMMAS) {
      TokenRewards rewards = cases().random(gamma);
      Advantages first = estimate(rewards);
      Advantages second = estimate(rewards);
      assertArrayEquals(first.advantages(), second.advantages());
      assertArrayEquals(first.returns(), second.returns());
      TokenRewards fresh = cases().random(gamma);
      assertArrayEquals(fresh.rewards(), rewards.rewards(), "the rewards were written");
      fresh
          .columns()
          .cells()
          .forEach(
              (key, cells) ->
                  assertArrayEquals(
                      EstimatorCases.numbers(cells), EstimatorCases.numbers(rewards.column(key))));
    }
  }

  @ContractTest(
      value = "Tokens outside the mask change nothing, whatever their number and their values.",
      look = "estimate(): sums and discounts over tokens outside the mask")
  void tokensOutsideTheMaskChangeNothing() {
    for (double gamma : GAMMAS) {
      TokenRewards rewards = cases().random(gamma);
      TestLayout more = TestLayout.cells().withInsertions(TestLayout.stream("insertions"));
      TokenRewards changed =
          EstimatorCases.moved(rewards, more, rewards.groups(), rewards.columns(), Double.NaN);
      Advantages before = estimate(rewards);
      Advantages after = estimate(changed);
      check(changed, after);
      assertArrayEquals(
          more.take(before.advantages(), () -> 0), after.advantages(), 1e-12, "advantages");
      assertArrayEquals(more.take(before.returns(), () -> 0), after.returns(), 1e-12, "returns");
    }
  }

  @ContractTest(
      value = "The order of the samples in a batch does not matter.",
      look = "estimate(): use the group of a sample, never its index")
  void samplesMayHaveAnyOrder() {
    int[] order = {3, 0, 7, 5, 1, 6, 2, 4};
    for (double gamma : GAMMAS) {
      TokenRewards rewards = cases().random(gamma);
      TestLayout moved = TestLayout.cells().select(order);
      Map<ColumnKey<?>, Object> columns = new LinkedHashMap<>(rewards.columns().cells());
      columns.putAll(rewards.columns().select(rewards.layout(), order).cells());
      columns.replaceAll(
          (key, cells) ->
              key.perToken() ? Objects.requireNonNull(rewards.columns().cells().get(key)) : cells);
      int[] groups = Arrays.stream(order).map(i -> rewards.groups()[i]).toArray();
      Advantages before = estimate(rewards);
      Advantages after =
          estimate(EstimatorCases.moved(rewards, moved, groups, new ColumnMap(columns), 0));
      assertArrayEquals(moved.take(before.advantages(), () -> 0), after.advantages(), 1e-9);
      assertArrayEquals(moved.take(before.returns(), () -> 0), after.returns(), 1e-9);
    }
  }

  @ContractTest(
      value =
          "Groups of one, groups of equal rewards and batches without rewards give finite "
              + "numbers.",
      look = "estimate(): divisions by a standard deviation or by n − 1")
  void degenerateGroupsGiveNumbers() {
    TestLayout cells = TestLayout.cells();
    int[] alone = {0, 1, 2, 3, 4, 5, 6, 7};
    int[] together = new int[TestLayout.SAMPLES];
    for (int[] groups : new int[][] {alone, together}) {
      for (double reward : new double[] {0, 0.1}) {
        double[] equal = cells.outsideMask(cells.column(() -> reward), () -> 0);
        TokenRewards rewards = cases().random(cells, groups, 1).withRewards(equal);
        check(rewards, estimate(rewards));
      }
    }
  }

  @ContractTest(
      value = "Samples without a response, samples without tokens, and empty batches are allowed.",
      look = "estimate(): divisions by the number of tokens, and the last token of a sample")
  void emptyResponsesAreAllowed() {
    TestLayout silent = TestLayout.cells();
    for (int i = 0; i < TestLayout.SAMPLES; i++) {
      silent = silent.withoutMask(i);
    }
    for (TestLayout cells :
        new TestLayout[] {
          TestLayout.cells().withoutMask(2),
          silent,
          TestLayout.of(new int[] {0, 0, 2, 2}, new int[] {-1, 0}),
          TestLayout.of(new int[] {0}, new int[0])
        }) {
      TokenRewards rewards = cases().random(cells, EstimatorCases.groups(cells.samples()), 0.9);
      check(rewards, estimate(rewards));
    }
  }

  @ContractTest(
      value =
          "The claimed law SHIFT holds: a constant added to the last reward of every sample "
              + "changes no advantage.",
      look = "laws() and the baseline")
  void shiftsOfAGroupDoNotMatter() {
    assumeTrue(laws().contains(Law.SHIFT), "not a law of this estimator");
    TokenRewards rewards = cases().random(1);
    double[] shifted = rewards.rewards().clone();
    for (int i = 0; i < rewards.samples(); i++) {
      int last = rewards.layout().offsets()[i + 1] - 1;
      while (!rewards.layout().mask()[last]) {
        last--;
      }
      shifted[last] += 0.5;
    }
    assertArrayEquals(
        estimate(rewards).advantages(), estimate(rewards.withRewards(shifted)).advantages(), 1e-9);
  }

  @ContractTest(
      value =
          "The claimed law SCALE or SCALE_FREE holds: twice the rewards give twice or the "
              + "same advantages.",
      look = "laws() and the normalization")
  void scalesAsItsLawSays() {
    boolean free = laws().contains(Law.SCALE_FREE);
    assumeTrue(free || laws().contains(Law.SCALE), "not a law of this estimator");
    TokenRewards rewards = cases().random(1);
    double[] twice = Arrays.stream(rewards.rewards()).map(r -> 2 * r).toArray();
    double[] expected = estimate(rewards).advantages();
    if (!free) {
      expected = Arrays.stream(expected).map(a -> 2 * a).toArray();
    }
    assertArrayEquals(
        expected, estimate(rewards.withRewards(twice)).advantages(), free ? 1e-4 : 1e-9);
  }

  @ContractTest(
      value =
          "The claimed law SUM_ZERO holds: the advantages of equally long samples of a group "
              + "add up to 0.",
      look = "laws() and the baseline")
  void equallyLongSamplesOfAGroupAddUpToZero() {
    assumeTrue(laws().contains(Law.SUM_ZERO), "not a law of this estimator");
    TestLayout cells = TestLayout.of(new int[] {0, 2, 4, 6, 8}, new int[8]);
    double[] advantages = estimate(cases().random(cells, EstimatorCases.groups(4), 1)).advantages();
    for (int i = 0; i < 8; i += 4) {
      assertEquals(0, Arrays.stream(advantages, i, i + 4).sum(), 1e-9);
    }
  }

  private static void check(TokenRewards rewards, Advantages result) {
    int cells = rewards.layout().mask().length;
    assertEquals(cells, result.advantages().length, "number of advantages");
    assertEquals(cells, result.returns().length, "number of returns");
    for (int t = 0; t < cells; t++) {
      check("advantage", t, result.advantages()[t], rewards.layout().mask()[t]);
      check("return", t, result.returns()[t], rewards.layout().mask()[t]);
    }
  }

  private static void check(String name, int token, double number, boolean written) {
    assertTrue(Double.isFinite(number), () -> name + " of token " + token + " is " + number);
    assertTrue(
        written || number == 0,
        () -> name + " of token " + token + " outside the mask is " + number);
  }
}
