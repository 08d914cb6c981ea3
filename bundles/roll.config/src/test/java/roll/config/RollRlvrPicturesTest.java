package roll.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import roll.api.config.EnvConfig;
import roll.api.config.RewardConfig;
import roll.runtime.config.RunConfig;

/** An RLVR file of ROLL's script for pictures asks rows of Orsta's form. */
class RollRlvrPicturesTest {
  /** The keys of {@code alibaba/ROLL@8eb27cc2:examples/qwen2.5-vl-7B-rlvr} that differ. */
  private static final String PICTURES =
      RollRlvrTest.RLVR
              .replace("{math_rule: 1.0}", "{math_rule: 0.5, boxes: 0.5}")
              .replace("messages: messages", "messages: prompt\n    image_max_pixels: 1048576")
          + """
            boxes:
              worker_cls: a.DetectionRewardWorker
              model_args: {model_name_or_path: model}
              tag_included: [v3det_train]
          """;

  private final ConfigFiles files;

  RollRlvrPicturesTest(@TempDir Path folder) {
    files = new ConfigFiles(folder);
  }

  @Test
  void boxesAndAnswersAreGradedByTheRow() {
    RunConfig run = files.load(PICTURES).run();
    EnvConfig boxes = Objects.requireNonNull(run.rollout().customEnvs().get("boxes"));
    assertEquals("prompt", boxes.options().get("prompt_key"));
    assertEquals(1048576, boxes.options().get("image_max_pixels"));
    RewardConfig detection = boxes.rewards().getFirst();
    assertEquals("detection", detection.reward());
    assertEquals("reward_model.ground_truth", detection.options().get("answer_key"));
    Path model = Path.of(String.valueOf(detection.options().get("processor_folder")));
    assertTrue(model.isAbsolute() && model.endsWith("model"), model.toString());
    EnvConfig math = Objects.requireNonNull(run.rollout().customEnvs().get("math_rule"));
    assertEquals(
        List.of(
            new RewardConfig(
                "math_verify",
                1,
                Map.of("part", "conclusion", "answer_key", "reward_model.ground_truth"))),
        math.rewards());
  }

  @Test
  void limitsOfPicturesAreThoseOfTraining() {
    String other = PICTURES + "validation: {data_args: {file_name: v, image_max_pixels: 784}}\n";
    assertTrue(
        files
            .complaint(other)
            .contains(
                "validation.data_args.image_max_pixels: '784' is not supported: pictures of"
                    + " validation have the limit of actor_train's"),
        files.complaint(other));
    String least = PICTURES.replace("image_max_pixels", "image_min_pixels");
    assertTrue(
        files
            .complaint(least)
            .contains(
                "actor_train.data_args.image_min_pixels: '1048576' is not supported:"
                    + " preprocessor_config.json has the minimum"),
        files.complaint(least));
  }
}
