package roll.core.sft;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import roll.api.data.Batch;
import roll.api.data.ColumnMap;
import roll.api.loss.LossDenominators;
import roll.api.loss.LossInput;
import roll.api.loss.LossResult;
import roll.api.loss.LossSettings;
import roll.math.LossRows;
import roll.runtime.option.YamlOptions;

/** The batches of a warm start, and its loss. */
class SftDataTest {
  private static final List<Demonstration> ALL =
      IntStream.range(0, 7)
          .mapToObj(i -> new Demonstration("x:" + i, new int[] {i, i}, new boolean[] {false, true}))
          .toList();

  @Test
  void anEpochHasEachDemonstrationOnce() {
    SftData<Demonstration> data = new SftData<>(ALL, 3, true, false, 5);
    assertEquals(3, data.stepsOfAnEpoch());
    List<Demonstration> first = rows(data, 0, 3);
    assertEquals(new HashSet<>(ALL), new HashSet<>(first));
    assertEquals(7, first.size());
    assertEquals(1, data.step(2).size());
    assertNotEquals(first, rows(data, 3, 6), "each epoch has its own order");
    assertEquals(rows(data, 4, 9), rows(new SftData<>(ALL, 3, true, false, 5), 4, 9));
    assertNotEquals(first, rows(new SftData<>(ALL, 3, true, false, 6), 0, 3));
    assertEquals(ALL, rows(new SftData<>(ALL, 3, false, false, 5), 0, 3));
  }

  /** Seven rows, three by three: the last one of each order is left out. */
  @Test
  void anEpochMayHaveFullStepsOnly() {
    SftData<Demonstration> data = new SftData<>(ALL, 3, false, true, 5);
    assertEquals(2, data.stepsOfAnEpoch());
    assertEquals(ALL.subList(3, 6), data.step(1));
    assertEquals(ALL.subList(0, 3), data.step(2));
  }

  private static List<Demonstration> rows(SftData<Demonstration> data, int from, int to) {
    List<Demonstration> rows = new ArrayList<>();
    IntStream.range(from, to).forEach(step -> rows.addAll(data.step(step)));
    return rows;
  }

  @Test
  void theFirstTokenIsNeverLearned() {
    Demonstration all = new Demonstration("x", new int[] {4, 5}, new boolean[] {true, true});
    Batch batch = SftData.batch(List.of(all, ALL.get(3)));
    assertArrayEquals(new int[] {0, 2, 4}, batch.layout().offsets());
    assertArrayEquals(new int[] {4, 5, 3, 3}, batch.tokens());
    assertArrayEquals(new boolean[] {false, true, false, true}, batch.layout().mask());
  }

  /** Three tokens of a batch that has four: the loss is their share of the mean. */
  @Test
  void theLossIsAMeanOverTheTokensOfTheBatch() {
    LossSettings settings =
        new LossSettings(
            "none",
            0.2,
            0.2,
            null,
            0,
            0,
            LossSettings.Aggregation.TOKEN_MEAN,
            LossSettings.RatioType.TOKEN);
    double[][] logProbs = {{0, -1, -2}, {0, -3}};
    LossInput input =
        LossRows.of(logProbs, logProbs, new int[][] {{0, 1, 1}, {0, 1}}, logProbs, settings);
    LossInput part =
        new LossInput(
            input.layout(),
            input.policy(),
            input.advantages(),
            ColumnMap.NONE,
            settings,
            new LossDenominators(4, 3, 3));
    LossResult result =
        new SftLoss().evaluate(part, YamlOptions.checked("sft", Map.of(), List.of()));
    assertEquals(1.5, result.loss(), 1e-12);
    assertArrayEquals(new double[] {0, -0.25, -0.25, 0, -0.25}, result.logProbGradient(), 1e-12);
    assertArrayEquals(new double[5], result.entropyGradient());
    assertEquals(Map.of("sft/loss", 1.5), result.metrics());
  }
}
