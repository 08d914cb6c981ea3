package roll.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Training without any reward is refused, unless that is explicitly allowed. */
class TrainedForTest {
  private final ConfigFiles files;

  TrainedForTest(@TempDir Path folder) {
    files = new ConfigFiles(folder);
    files.write("q.jsonl", "{\"question\": \"?\"}\n");
  }

  private static final String QUESTIONS =
      ConfigFiles.SMALL
          .replace("FrozenLake:", "Questions:")
          .replace("env_type: frozen_lake", "env_type: dataset")
          .replace("env_config: {size: 4}", "env_config: {train_files: q.jsonl}");

  @Test
  void withoutARewardNothingIsLearned() {
    String message = files.complaint(QUESTIONS);
    assertTrue(
        message.endsWith(
            "custom_envs.Questions.rewards: no reward grades the answers, so nothing would be"
                + " learned: name one (./roll services roll.reward), or write no_reward: true where"
                + " that is wanted"),
        message);
  }

  @Test
  void oneRewardIsEnough() {
    assertEquals(
        1,
        files
            .load(QUESTIONS, "custom_envs.Questions.rewards.gsm8k=1")
            .run()
            .rollout()
            .customEnvs()
            .size());
    assertEquals(
        List.of(),
        files
            .load(QUESTIONS, "custom_envs.Questions.no_reward=true")
            .run()
            .rollout()
            .customEnvs()
            .values()
            .iterator()
            .next()
            .rewards());
  }

  /**
   * A world of its own, a role that works on what was played, and a program reward by themselves.
   */
  @Test
  void othersRewardToo() {
    assertEquals(1, files.load(ConfigFiles.SMALL).run().rollout().customEnvs().size());
    String role = "roles={relabel: {worker: scaled_rewards}}";
    assertEquals(1, files.load(QUESTIONS, role).run().rollout().customEnvs().size());
  }
}
