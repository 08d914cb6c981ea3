package roll.reward.detection;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import roll.api.data.Message;
import roll.api.data.Message.InlinePicture;
import roll.api.data.Trajectory;
import roll.api.reward.Grade;
import roll.api.reward.Reward;
import roll.api.reward.RewardFunction;
import roll.runtime.option.YamlOptions;
import roll.testkit.FakeImageProcessor;
import roll.testkit.RewardContract;
import roll.testkit.UserErrors;

/** Scores computed by hand, of accuracy and form with the weights 1 and 0.1. */
class DetectionRewardTest extends RewardContract {
  private static final String CAT = box("cat", 0, 0, 10, 10);
  private static final String DOG = box("dog", 50, 50, 60, 60);

  @Override
  protected RewardFunction function() {
    return new DetectionReward(null);
  }

  @Override
  protected Map<String, Object> facts() {
    return facts(answer(CAT), Map.of("iou_max_label_first", 1.0), false);
  }

  private static String box(String label, int... at) {
    return "{'bbox_2d': [%d,%d,%d,%d], 'label': '%s'}".formatted(at[0], at[1], at[2], at[3], label);
  }

  private static String answer(String... boxes) {
    return "I see.\n<answer>\n[" + String.join(", ", boxes) + "]\n</answer>";
  }

  private static Map<String, Object> facts(
      String truth, Map<String, Double> ratios, boolean pixels) {
    return Map.of(
        "reward_model",
        Map.of(
            "ground_truth",
            truth,
            "verifier_parm",
            Map.of("det_reward_ratio", ratios, "det_verifier_normalized", pixels)));
  }

  private Grade graded(String response, String truth, Map<String, Double> ratios) {
    return grade(reward(Map.of()), episode(response).withFacts(facts(truth, ratios, false)));
  }

  private double accuracy(Map<String, Double> ratios, String truth, String... found) {
    return graded(answer(found), truth, ratios).details().get("acc");
  }

  /** An overlap of 0.8 reaches 7 of the 11 thresholds, and 7 of COCO's 10. */
  @Test
  void isTheOverlapAndTheForm() {
    Map<String, Double> overlap = Map.of("iou_max_label_first", 1.0);
    assertEquals(1, graded(answer(CAT), answer(CAT), overlap).score(), 1e-12);
    Grade near = graded(answer(box("Cat", 0, 0, 10, 8)), answer(CAT), overlap);
    assertEquals(7 * 0.8 / 11, near.details().get("acc"), 1e-12);
    assertEquals(1, near.details().get("format"));
    assertEquals((7 * 0.8 / 11 + 0.1) / 1.1, near.score(), 1e-12);
    assertEquals(0.7, accuracy(Map.of("map", 1.0), answer(CAT), box("cat", 0, 0, 10, 8)), 1e-12);
    assertEquals(
        1, accuracy(Map.of("map50", 0.5, "map75", 0.5), answer(CAT), box("cat", 0, 0, 10, 8)));
    assertEquals(
        1 / 1.1, graded("<answer>[" + CAT + "]</answer>", answer(CAT), overlap).score(), 1e-12);
  }

  /** A box too few leaves 0.6; half of the known ones are found, all found ones are right. */
  @Test
  void missingBoxesCostTwice() {
    String both = answer(CAT, DOG);
    assertEquals(0.6 * 0.5, accuracy(Map.of("iou_max_label_first", 1.0), both, CAT), 1e-12);
    assertEquals(0.6 * 0.5, accuracy(Map.of("map", 1.0), both, CAT), 1e-12);
    assertEquals(
        0.6 * (0.5 * 0.5 + 0.5 * (1 - 0.5 / 2)),
        accuracy(Map.of("iou_max_label_first", 1.0, "iou_completeness", 0.5), both, CAT),
        1e-12);
  }

  /** The nearest box has another label, the one of the label reaches 3 of 11 thresholds. */
  @Test
  void boxesArePairedByLabelOrByOverlap() {
    String[] found = {box("dog", 0, 0, 10, 10), box("cat", 0, 0, 10, 6)};
    assertEquals(
        0.6 * 3 * 0.6 / 11,
        accuracy(Map.of("iou_max_label_first", 1.0), answer(CAT), found),
        1e-12);
    assertEquals(0, accuracy(Map.of("iou_max_iou_first", 1.0), answer(CAT), found));
    assertEquals(
        0.6 * 0.75 * 3 * 0.6 / 11,
        accuracy(
            Map.of("iou_max_label_first", 0.75, "iou_max_iou_first", 0.25), answer(CAT), found),
        1e-12);
  }

  /**
   * Among equal overlaps the best pairs remain: 1 and 0.6, although the first box is listed last.
   */
  @Test
  void theBestPairComesFirst() {
    String known = answer(CAT, box("cat", 100, 0, 110, 10));
    assertEquals(
        (11 * 1 + 3 * 0.6) / 2 / 11,
        accuracy(Map.of("iou_max_iou_first", 1.0), known, box("cat", 100, 0, 110, 6), CAT),
        1e-12);
  }

  /** Precisions 0, 1/2, 2/3 at recalls 0, 1/2, 1; or 1, 1/2, 2/3 at 1/2, 1/2, 1. */
  @Test
  void averagePrecisionFollowsTheOrder() {
    String wrong = box("cat", 70, 70, 80, 80);
    String second = box("cat", 20, 20, 30, 30);
    Map<String, Double> map = Map.of("map", 1.0);
    assertEquals(0.6 * 2 / 3, accuracy(map, answer(CAT, second), wrong, CAT, second), 1e-12);
    assertEquals(
        0.6 * (51 + 50 * 2 / 3.0) / 101,
        accuracy(map, answer(CAT, second), CAT, wrong, second),
        1e-12);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "[[{'bbox_2d':[0,0,10,10],'label':'CAT'}]] | 1",
        "[{\"bbox_2d\":[0,0,10,10],\"label\":\"cat\"},{\"bbox_2d\":[1,2 | 1",
        "[{'bbox_2d':[0,0,10,10],'label':'cat'},{'bbox_2d':[0,0,10,10],'label':'dog'}] | 1",
        "[{'bbox_2d':[10,0,0,10],'label':'cat'},{'bbox_2d':[0,0,1],'label':'cat'}] | 0",
        "[{'bbox_2d':[0,0,10,'10'],'label':'cat'},{'label':'cat'},3] | 0",
        "{'bbox_2d':[0,0,10,10],'label':'cat'} | 0",
        "[{'bbox_2d':[0,0,10,10],'label':'cat'}] and [more] | 0",
        "a cat | 0",
      })
  void listsAreReadAsModelsWriteThem(String list, int objects) {
    assertEquals(objects, LabeledBox.in("<answer>" + list + "</answer>").size());
  }

  /** Pixels of a picture of 40 by 20 are thousandths of it, where the row says so. */
  @Test
  void pixelsOfTheResizedPictureAreThousandths() {
    RewardFunction function = new DetectionReward(folder -> new FakeImageProcessor());
    Reward reward =
        function.configure(
            YamlOptions.checked(
                "rewards", Map.of("processor_folder", "model"), function.options()));
    String truth = answer(box("cat", 250, 500, 1000, 1000));
    Trajectory seen = withPicture(answer(box("cat", 10, 10, 40, 20)));
    Map<String, Double> overlap = Map.of("iou_max_label_first", 1.0);
    assertEquals(1, score(reward, seen.withFacts(facts(truth, overlap, true))), 1e-12);
    assertEquals(0.1 / 1.1, score(reward, seen.withFacts(facts(truth, overlap, false))), 1e-12);
    String refusal =
        UserErrors.userError(() -> reward(Map.of("processor_folder", Path.of("m").toString())));
    assertTrue(refusal.endsWith("no bundle reads image processors; roll.image does"), refusal);
  }

  private static Trajectory withPicture(String response) {
    Trajectory plain = episode(response);
    List<Message> messages = new ArrayList<>(plain.messages());
    messages.set(
        0,
        new Message(
            "user", "", null, List.of(new InlinePicture(0, FakeImageProcessor.picture(5, 10, 7)))));
    return new Trajectory(
        plain.key(),
        plain.sequences(),
        plain.rewards(),
        plain.states(),
        messages,
        plain.metrics(),
        plain.finish());
  }
}
