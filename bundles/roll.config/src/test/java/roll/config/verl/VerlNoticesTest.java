package roll.config.verl;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import roll.runtime.config.LoadedConfig;

/** Messages about options of verl that are invalid, overridden, or without effect. */
class VerlNoticesTest {
  private final VerlFiles verl;

  VerlNoticesTest(@TempDir Path folder) {
    this.verl = new VerlFiles(folder);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "actor_rollout_ref.actor.ppo_mini_batchsize=3 | unknown option"
            + " 'actor_rollout_ref.actor.ppo_mini_batchsize'; did you mean"
            + " 'actor_rollout_ref.actor.ppo_mini_batch_size'?",
        "agent.init_args.tool=[x] | unknown option 'agent.init_args.tool'; did you mean"
            + " 'agent.init_args.tools'?",
        "trainer.kl_penalty=kl | unknown option 'trainer.kl_penalty'; did you mean"
            + " 'algorithm.kl_penalty'?",
        "trainers.save_freq=3 | unknown key 'trainers'; did you mean 'trainer'?",
        "critic.ppo_mini_batchsize=3 | unknown option 'critic.ppo_mini_batchsize'; did you mean"
            + " 'critic.ppo_mini_batch_size'?",
        "trainer.resume_mode=never | trainer.resume_mode: expected one of auto, disable,"
            + " resume_path, found 'never'",
        "trainer.resume_mode=resume_path | trainer.resume_mode: resume_path needs"
            + " trainer.resume_from_path",
        "data.train_batch_size=many | data.train_batch_size: expected an integer of at least 0,"
            + " found 'many'",
        "data.seed=3 seed=4 | data.seed sets the same value as 'seed' (override 'seed=4'): keep one"
            + " of them, such as seed=3",
        "trainer.default_local_dir=\"a\\0\" | trainer.default_local_dir: expected the name of a"
            + " folder, found 'a\\u0000'",
        "data.train_batch_size=2147483647 | data.train_batch_size: expected at most 1073741823,"
            + " found '2147483647'",
        "data.gen_batch_size=0 | data.gen_batch_size: expected an integer of at least 1, found"
            + " '0'",
        "reward_model.enable=True | reward_model.enable: reward_model.model.path is missing: it"
            + " names the model",
        "actor_rollout_ref.actor.ppo_mini_batch_size=9 |"
            + " actor_rollout_ref.actor.ppo_mini_batch_size: 9 questions of a mini-batch, and a"
            + " step has only data.train_batch_size = 8",
        "actor_rollout_ref.actor.ppo_micro_batch_size_per_gpu=3 |"
            + " actor_rollout_ref.actor.ppo_micro_batch_size_per_gpu: ppo_mini_batch_size ×"
            + " rollout.n / devices = 4 × 2 / 1 = 8 is no multiple of ppo_micro_batch_size_per_gpu"
            + " = 3",
      })
  void whatIsWrongIsSaid(String overrides, String message) {
    String[] given = overrides.split(" ", -1);
    assertEquals("override '" + given[0] + "': " + message, verl.complaint(given));
  }

  /** verl's default differs from ours, and is not written. */
  @Test
  void aDefaultOfVerlsIsNoChange() {
    assertEquals(1, verl.run().algorithm().estimator().lambda());
    assertFalse(verl.load().changed().contains("lambd"));
    assertTrue(verl.load("algorithm.lam=0.9").changed().contains("lambd"));
  }

  @Test
  void aScheduleWithoutALeastRateSaysSo() {
    assertTrue(
        verl.load("actor_rollout_ref.actor.optim.min_lr_ratio=0.1")
            .notices()
            .contains(
                "key 'actor_rollout_ref.actor.optim.min_lr_ratio' has no effect here: the schedule"
                    + " is constant"));
  }

  @Test
  void aliasesGiveWay() {
    LoadedConfig loaded =
        verl.load(
            "agent.agent_type=react",
            "agent.init_args.agent_type=hf",
            "agent.init_config.agent_type=hf",
            "agent.run_config.max_turns=2",
            "agent.run_config.generation_config.max_tokens=7",
            "data.train_files=f");
    var env = Objects.requireNonNull(loaded.run().rollout().customEnvs().get("Dataset"));
    assertEquals("hf", Objects.requireNonNull(env.agent()).type());
    assertEquals(2, env.limits().maxSteps());
    assertEquals(7, env.limits().maxTokensPerStep());
    assertTrue(
        loaded
            .notices()
            .contains(
                "key 'agent.agent_type' gives way to 'agent.init_args.agent_type', which is hf"),
        loaded.notices().toString());
  }

  @Test
  void whatDoesNothingIsSaidUnlessItIsTheDefault() {
    List<String> notices =
        new ArrayList<>(
            verl.load(
                    "trainer.balance_batch=True",
                    "trainer.device=cuda",
                    "ray_init.num_cpus=8",
                    "actor_rollout_ref.actor.kl_loss_coef=0.1")
                .notices());
    assertTrue(notices.removeFirst().startsWith("key 'trainer.device' has no effect here"));
    assertEquals("key 'ray_init' has no effect here: there is no Ray", notices.removeFirst());
    assertTrue(notices.removeFirst().startsWith("read as a run of verl's; not given, so: "));
    assertEquals(
        List.of(
            "key 'actor_rollout_ref.actor.kl_loss_coef' has no effect here: use_kl_loss is false"),
        notices);
  }
}
