package roll.config.verl;

import java.nio.file.Path;
import roll.config.ConfigFiles;
import roll.runtime.config.LoadedConfig;
import roll.runtime.config.RunConfig;

/** A run of verl's with some overrides. */
final class VerlFiles {
  /** The smallest run of verl's: its environment is one of ours. */
  private static final String VERL =
      """
      actor_rollout_ref:
        _target_: somewhere
        model: {path: model}
        actor: {ppo_mini_batch_size: 4, ppo_micro_batch_size_per_gpu: 2}
        rollout: {n: 2}
      data: {train_batch_size: 8, max_prompt_length: 100, max_response_length: 28}
      trainer: {n_gpus_per_node: 1, total_training_steps: 10}
      algorithm: {adv_estimator: grpo}
      val_batch_size: 4
      custom_envs:
        FrozenLake: {env_type: frozen_lake, max_steps: 5}
      """;

  private final Path folder;

  VerlFiles(Path folder) {
    this.folder = folder;
  }

  LoadedConfig load(String... overrides) {
    return new ConfigFiles(folder).load(VERL, overrides);
  }

  RunConfig run(String... overrides) {
    return load(overrides).run();
  }

  String complaint(String... overrides) {
    return new ConfigFiles(folder).complaint(VERL, overrides);
  }
}
