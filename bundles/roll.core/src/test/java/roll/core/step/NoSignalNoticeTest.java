package roll.core.step;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import roll.api.data.Batch;

/** Two groups of two samples, each of a prompt and a response of one token. */
class NoSignalNoticeTest {
  private static List<String> told(double[] scores, double... advantages) {
    double[] cells = new double[8];
    for (int i = 0; i < 4; i++) {
      cells[2 * i] = 5; // of the prompt
      cells[2 * i + 1] = advantages[i];
    }
    List<String> told = new ArrayList<>();
    NoSignalNotice.tell(
        Batch.of(new int[] {0, 2, 4, 6, 8}, new int[8], new int[] {-1, 0, -1, 0, -1, 0, -1, 0})
            .withColumn(Batch.SCORES, scores)
            .withColumn(Batch.GROUP_IDS, List.of("a", "a", "b", "b"))
            .withColumn(Batch.ADVANTAGES, cells),
        told::add);
    return told;
  }

  @Test
  void onlyStepsThatTeachNothingAreTold() {
    assertEquals(
        List.of(
            "every advantage is 0: all samples of a group scored alike, in each of 2 groups (from"
                + " 0.0 to 1.0); nothing is learned from them"),
        told(new double[] {0, 0, 1, 1}, 0, -0.0, 0, 0));
    assertEquals(List.of(), told(new double[] {0, 0, 1, 1}, 0, 0, 0, 0.5));
    assertEquals(List.of(), told(new double[] {0, 0, 1, 0}, 0, 0, 0, 0), "for another reason");
  }
}
