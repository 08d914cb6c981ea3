package roll.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import roll.api.config.TrainingConfig;
import roll.api.config.WorkerConfig.Dtype;
import roll.runtime.config.LoadedConfig;

/** Translation of ROLL's keys of roles, and the number of nodes derived from devices. */
class RollRolesTest extends SmallConfigFixture {
  private static final String CONFIG = "actor_train.strategy_args.strategy_config";
  private static final String STEPS = "actor_train.training_args.gradient_accumulation_steps";

  private static boolean says(LoadedConfig loaded, String part) {
    return loaded.notices().stream().anyMatch(line -> line.contains(part));
  }

  @Test
  void theNormOfGradientsIsThatAtTheTop() {
    LoadedConfig loaded = load(CONFIG + "={max_grad_norm: 0.5}");
    assertEquals(0.5, loaded.run().algorithm().maxGradNorm());
    assertEquals(
        Map.of(), loaded.run().roles().actorTrain().strategyOptions().values(), "taken out");
    assertTrue(says(loaded, CONFIG + ".max_grad_norm is read as max_grad_norm"));
    assertEquals(
        0.5,
        load("max_grad_norm=0.5", CONFIG + "={max_grad_norm: 0.5}")
            .run()
            .algorithm()
            .maxGradNorm());
    String refused = complaint("max_grad_norm=1.0", CONFIG + "={max_grad_norm: 0.5}");
    assertTrue(
        refused.endsWith(
            CONFIG
                + ".max_grad_norm is 0.5 and max_grad_norm is 1.0; the latter is what counts:"
                + " leave the former out"),
        refused);
  }

  @Test
  void whereSequencesAreCutEachDeviceAccumulatesLess() {
    String eight = "actor_train.device_mapping=list(range(0,8))";
    LoadedConfig ulysses =
        load(
            eight,
            "actor_train.model_args.ulysses_size=2",
            STEPS + "=6",
            "reference.model_args.ulysses_size=2");
    TrainingConfig training = ulysses.run().roles().actorTrain().training();
    assertEquals(3, training.accumulation());
    assertEquals(8, training.replicas());
    // 4 samples x 3 times x 8 devices, as 4 x 6 x 4 pairs of devices
    assertEquals(96, ulysses.derived().get("effective_batch"));
    assertTrue(says(ulysses, "gradient_accumulation_steps is 3 rather than 6"));
    assertTrue(says(ulysses, "reference: sequences are not cut over devices here"));
    LoadedConfig context = load(eight, CONFIG + "={context_parallel_size: 2}", STEPS + "=2");
    assertEquals(1, context.run().roles().actorTrain().training().accumulation());
    assertFalse(says(load(CONFIG + "={context_parallel_size: 1}"), "sequences are not cut"));
    LoadedConfig once = load(eight, "actor_train.model_args.ulysses_size=2");
    assertEquals(16, once.derived().get("effective_batch"), "2 samples x 8 devices");
    assertTrue(says(once, "per_device_train_batch_size is 2 rather than 4"));
    String refused =
        complaint(
            eight,
            "actor_train.model_args.ulysses_size=2",
            "actor_train.training_args.per_device_train_batch_size=3");
    assertTrue(
        refused.contains(STEPS + ": expected a multiple of 2, found '1': actor_train: sequences"),
        refused);
  }

  @Test
  void aCriticWithTheHeadOfTrlIsATokenClassifier() {
    LoadedConfig loaded = load("adv_estimator=gae", "critic.model_args.model_type=trl");
    assertTrue(says(loaded, "critic.model_args.model_type trl is read as auto_token_"));
  }

  @Test
  void theMostPicturesOfAPromptAreTheEnvironments() {
    String limit = "actor_infer.strategy_args.strategy_config={limit_mm_per_prompt: {image: 3}}";
    assertEquals(3, maxPictures(load(limit)));
    assertEquals(2, maxPictures(load(limit, "custom_envs.FrozenLake.limit_mm_per_prompt.image=2")));
    assertTrue(says(load(limit), "limit_mm_per_prompt is read as that of each of custom_envs"));
  }

  private static int maxPictures(LoadedConfig loaded) {
    return Objects.requireNonNull(loaded.run().rollout().customEnvs().get("FrozenLake"))
        .prompts()
        .maxPictures();
  }

  @Test
  void thereIsOneFormatOf16Bits() {
    LoadedConfig loaded = load("actor_train.model_args.dtype=fp16");
    assertEquals(Dtype.BF16, loaded.run().roles().actorTrain().model().dtype());
    assertTrue(says(loaded, "actor_train.model_args.dtype fp16 is read as bf16"));
  }

  @Test
  void aVisionTowerHasOneName() {
    for (String name : List.of("model.visual", "vision_model")) {
      LoadedConfig loaded = load("actor_train.model_args.freeze_module_prefix=" + name);
      assertEquals(List.of("visual"), loaded.run().roles().actorTrain().model().frozen());
      assertTrue(says(loaded, "freeze_module_prefix " + name + " is read as visual"));
    }
    assertEquals(
        List.of("visual.blocks", "lm_head"),
        load("actor_train.model_args.freeze_module_prefix='vision_model.blocks,lm_head'")
            .run()
            .roles()
            .actorTrain()
            .model()
            .frozen());
  }

  @Test
  void nodesFollowFromTheLargestDevice() {
    String four = "num_gpus_per_node=4";
    LoadedConfig three = load(four, "actor_infer.device_mapping=list(range(0,9))");
    assertEquals(3, three.run().devices().nodes());
    assertEquals(12, three.run().devices().count());
    assertTrue(says(three, "num_nodes is 3: a role has device 8, and a node has 4"));
    assertEquals(1, load(four, "actor_infer.device_mapping=[0,3]").run().devices().nodes());
    assertEquals(2, load(four, "num_nodes=2").run().devices().nodes());
  }

  @Test
  void whatDoesNothingIsSaidUnlessAReferenceReadsIt() {
    String line = "key 'default_history_length' has no effect here";
    assertTrue(says(load("default_history_length=7"), line));
    LoadedConfig read =
        load(
            "default_history_length=7",
            "custom_envs.FrozenLake.history_length=${default_history_length}");
    assertFalse(says(read, line));
    assertEquals(
        7,
        Objects.requireNonNull(read.run().rollout().customEnvs().get("FrozenLake"))
            .prompts()
            .historyLength());
    assertTrue(says(load("actor_train.model_args.flash_attn=fa2"), "there is one attention"));
    assertTrue(says(load("model_name=x"), "a run is named by exp_name"));
  }
}
