package roll.sampling;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import ai.djl.engine.Engine;
import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDList;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.types.DataType;
import ai.djl.ndarray.types.Shape;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import roll.api.data.RandomStreams;
import roll.api.strategy.GenerationRequest;
import roll.api.strategy.Sampling;
import roll.torch.Device;
import roll.torch.Kernels;

/** The sampler's texts for cards, and its settings for recorded steps, against the others. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class CardFilterTest {
  private static final int ROWS = 400;
  private static final int VOCABULARY = 60;

  private final Device device = new Device(() -> Engine.getEngine("PyTorch"), 1);
  private final Kernels ranked = compile(SampleKernels.sources());
  private final Kernels card = compile(SampleKernels.cardSources());

  private Kernels compile(List<String> sources) {
    return compile(sources, Map.of());
  }

  private Kernels compile(List<String> sources, Map<String, Integer> others) {
    Map<String, Object> constants = new HashMap<>(SampleKernels.constants());
    constants.putAll(others);
    constants.put("IMAGE", -1);
    constants.put("VIDEO", -1);
    List<String> all = new ArrayList<>(sources);
    all.add(SamplingNumbers.source());
    return device.call(() -> Kernels.compile(device, constants, all));
  }

  @AfterAll
  void close() {
    device.call(
        () -> {
          ranked.close();
          card.close();
          return true;
        });
    device.close();
  }

  private static ResponseState row(RandomGenerator random) {
    Sampling sampling =
        new Sampling(
            random.nextInt(3),
            random.nextInt(2) * random.nextInt(VOCABULARY + 9),
            random.nextInt(4) == 0 ? 1 : Math.max(1e-9, random.nextDouble()),
            random.nextInt(3) / 9.0,
            1 + random.nextInt(2),
            9,
            0,
            List.of(),
            List.of(),
            random.nextBoolean() ? Map.of() : Map.of(random.nextInt(4), 3.5, 9, -7.0),
            random.nextBoolean() ? List.of() : List.of(random.nextInt(VOCABULARY), 1, 2),
            null);
    int[] prompt = random.ints(1 + random.nextInt(9), 0, VOCABULARY).toArray();
    List<Integer> stops = random.ints(random.nextInt(3), 0, VOCABULARY).boxed().toList();
    return new ResponseState(
        new GenerationRequest(prompt, sampling.withMinNewTokens(random.nextInt(3)), stops, 1),
        null,
        9,
        null,
        null,
        null);
  }

  private static List<ResponseState> rows(long seed, int count) {
    RandomGenerator random = RandomStreams.of(seed, "rows");
    return IntStream.range(0, count).mapToObj(i -> row(random)).toList();
  }

  /** Rows of which some are greedy, and all others keep up to {@code most} tokens. */
  private static List<ResponseState> rowsOfFew(int most) {
    RandomGenerator random = RandomStreams.of(7, "few");
    return IntStream.range(0, ROWS)
        .mapToObj(
            i -> {
              Sampling sampling =
                  Sampling.of(9)
                      .withTemperature(random.nextInt(3))
                      .withTopK(1 + random.nextInt(most))
                      .withTopP(random.nextInt(4) == 0 ? 1 : Math.max(1e-9, random.nextDouble()));
              GenerationRequest request =
                  new GenerationRequest(new int[] {1}, sampling, List.of(), i);
              return new ResponseState(request, null, 9, null, null, null);
            })
        .toList();
  }

  private static int index(SamplerInput setting) {
    return (int) Objects.requireNonNull(SamplerInput.constants().get(setting.name()));
  }

  /** Scores with many ties, also of zeros of both signs, and excluded tokens. */
  private static float[] scores() {
    RandomGenerator random = RandomStreams.of(1, "scores");
    float[] scores = new float[ROWS * VOCABULARY];
    for (int i = 0; i < scores.length; i++) {
      scores[i] =
          switch (random.nextInt(4)) {
            case 0 -> Float.NEGATIVE_INFINITY;
            case 1 -> random.nextInt(3) - 1;
            case 2 -> -0f;
            default -> (float) (3 * random.nextGaussian());
          };
      if (i % VOCABULARY == 7) {
        scores[i] = 5;
      }
    }
    return scores;
  }

  @Test
  void bisectionKeepsWhatSortingKeeps() {
    device.call(
        () -> {
          try (NDManager owner = device.newManager()) {
            NDArray scores = owner.create(scores(), new Shape(ROWS, VOCABULARY));
            NDList settings = SamplingTensors.of(owner, rows(2, ROWS));
            NDArray expected = ranked.call(owner, "filter", scores, settings).singletonOrThrow();
            NDArray found = card.call(owner, "filter", scores, settings).singletonOrThrow();
            assertArrayEquals(expected.toFloatArray(), found.toFloatArray());
          }
          return true;
        });
  }

  /** With room for all ties, and with more of them than are sorted. */
  @ParameterizedTest
  @ValueSource(ints = {SamplerInput.SMALL, 5})
  void sortingFewKeepsWhatSortingKeeps(int small) {
    List<ResponseState> rows = rowsOfFew(Math.min(small, VOCABULARY));
    device.call(
        () -> {
          try (Kernels few = compile(SampleKernels.cardSources(), Map.of("SMALL", small));
              NDManager owner = device.newManager()) {
            NDArray scores = owner.create(scores(), new Shape(ROWS, VOCABULARY));
            NDList settings = SamplingTensors.of(owner, rows);
            assertTrue(settings.get(index(SamplerInput.TOP_K)).isEmpty());
            assertEquals(ROWS, settings.get(index(SamplerInput.SMALL_TOP_K)).size());
            NDArray expected = ranked.call(owner, "filter", scores, settings).singletonOrThrow();
            NDArray found = few.call(owner, "filter", scores, settings).singletonOrThrow();
            assertArrayEquals(expected.toFloatArray(), found.toFloatArray());
          }
          return true;
        });
  }

  /** One row that keeps more, or all tokens, and all rows are filtered as before. */
  @Test
  void rowsThatKeepManyAreNotFew() {
    for (int topK : new int[] {0, SamplerInput.SMALL + 1}) {
      List<ResponseState> rows = new ArrayList<>(rowsOfFew(3));
      Sampling sampling = Sampling.of(9).withTemperature(1).withTopK(topK);
      GenerationRequest many = new GenerationRequest(new int[] {1}, sampling, List.of(), 1);
      rows.add(new ResponseState(many, null, 9, null, null, null));
      List<Integer> widths = SamplingNumbers.of(rows, 1).widths();
      assertEquals(1, widths.get(index(SamplerInput.TOP_K)));
      assertEquals(0, widths.get(index(SamplerInput.SMALL_TOP_K)));
    }
  }

  /** Each row's numbers are cut out again, without the padding rows. */
  @Test
  void numbersOfRecordedStepsAreTheTensors() {
    int padded = 16;
    List<ResponseState> rows = rows(3, 11);
    SamplingNumbers numbers = SamplingNumbers.of(rows, 4);
    long[] packed = new long[5 + SamplingNumbers.size(padded, numbers.widths())];
    numbers.put(packed, 5, padded, numbers.widths());
    long[] widths = numbers.widths().stream().mapToLong(width -> width).toArray();
    device.call(
        () -> {
          try (NDManager owner = device.newManager()) {
            NDArray array = owner.create(packed).get("5:");
            NDList found = card.call(owner, "recorded_settings", array, padded, widths);
            NDList expected = SamplingTensors.of(owner, rows);
            SamplerInput[] settings = SamplerInput.values();
            for (int i = 0; i < settings.length; i++) {
              SamplerInput setting = settings[i];
              NDArray right = expected.get(i);
              NDArray given = found.get(i);
              assertEquals(right.isEmpty(), given.isEmpty(), setting::name);
              if (!right.isEmpty()) {
                assertRows(right, given, setting);
              }
            }
          }
          return true;
        });
  }

  private static void assertRows(NDArray right, NDArray given, SamplerInput setting) {
    NDArray rows = given.get("0:" + right.getShape().get(0));
    if (right.getShape().dimension() == 1) {
      assertEquals(right, rows, setting::name);
    } else {
      long width = right.getShape().get(1);
      assertEquals(right, rows.get(":, 0:" + width), setting::name);
      NDArray padding = given.get(":, " + width + ":");
      long sum = padding.isEmpty() ? 0 : padding.toType(DataType.INT64, false).sum().getLong();
      assertEquals(setting == SamplerInput.BIAS ? 0 : -padding.size(), sum);
    }
  }

  /** Settings that no row has take no room, and stop tokens only with a minimum length. */
  @Test
  void unusedSettingsTakeNoRoom() {
    GenerationRequest plain =
        new GenerationRequest(new int[] {1}, Sampling.of(9), List.of(3, 4, 5), 1);
    ResponseState row = new ResponseState(plain, null, 9, null, null, null);
    assertEquals(
        List.of(0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0),
        SamplingNumbers.of(List.of(row), 4).widths());
    GenerationRequest all =
        new GenerationRequest(
            new int[] {1, 2},
            Sampling.of(9).withMinNewTokens(2).withRepetitionPenalty(2).withTemperature(0),
            List.of(3, 4, 5),
            1);
    ResponseState other = new ResponseState(all, null, 9, null, null, null);
    assertEquals(
        List.of(4, 0, 0, 0, 0, 0, 1, 8, 1, 0, 0, 0, 0),
        SamplingNumbers.of(List.of(other), 4).widths());
  }
}
