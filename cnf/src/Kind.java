import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A kind of run for {@link KillTest}: five steps of a tiny model.
 *
 * @param name its name
 * @param arguments command, configuration and overrides
 * @param exact whether equal seeds give equal bits; else the run is asynchronous
 */
record Kind(String name, List<String> arguments, boolean exact) {
  private static final List<String> ALWAYS =
      List.of(
          "save_steps=1", "logging_steps=1", "max_ckpt_to_keep=2", "resume_from_checkpoint=true");

  private static final List<String> FROZEN_LAKE =
      List.of(
          "max_steps=5",
          "eval_steps=3",
          "rollout_batch_size=16",
          "val_batch_size=8",
          "actor_train.training_args.per_device_train_batch_size=4",
          "train_env_manager.num_env_groups=2",
          "val_env_manager.num_env_groups=8",
          "max_actions_per_traj=4",
          "track_with=[jsonl, tensorboard, chart]");

  /** Option for one thread, independent of load. */
  private static final String ALONE = ".strategy_args.strategy_config={parallel_micro_batches: 1}";

  /** Returns all kinds; demonstrations are in {@code folder}. */
  static List<Kind> all(Path folder) {
    return List.of(
        lake(
            "grpo",
            "frozen_lake",
            true,
            "init_kl_coef=0.1",
            "target_kl=0.01",
            "actor_train" + ALONE),
        lake(
            "ppo",
            "frozen_lake_ppo",
            true,
            "critic_warmup=1",
            "critic.training_args.per_device_train_batch_size=4",
            "actor_train" + ALONE,
            "critic" + ALONE),
        lake(
            "lora",
            "frozen_lake",
            true,
            "init_kl_coef=0.1",
            "actor_train.model_args.lora_rank=4",
            "actor_train.model_args.lora_target=all-linear",
            "actor_train" + ALONE),
        lake("zero3", "frozen_lake_zero3", true),
        sft(folder),
        lake("gigpo", "frozen_lake_gigpo", true, "actor_train" + ALONE),
        lake(
            "async",
            "frozen_lake",
            false,
            "async_generation_ratio=1.5",
            "rollout_batch_size=8",
            "train_env_manager.num_env_groups=4",
            "train_env_manager.group_size=2",
            "actor_train.training_args.gradient_accumulation_steps=1",
            "actor_train" + ALONE));
  }

  /** Returns the synchronous run with the same episodes, step by step in the order of seeds. */
  Kind synchronous() {
    List<String> without = new ArrayList<>(arguments);
    without.add("async_generation_ratio=0");
    return new Kind(name, without, true);
  }

  private static Kind lake(String name, String config, boolean exact, String... more) {
    List<String> arguments = new ArrayList<>(List.of("train", "configs/" + config + ".yaml"));
    arguments.addAll(FROZEN_LAKE);
    arguments.addAll(ALWAYS);
    arguments.addAll(List.of(more));
    return new Kind(name, arguments, exact);
  }

  private static Kind sft(Path folder) {
    List<String> arguments = new ArrayList<>(List.of("sft", "configs/arithmetic_sft.yaml"));
    arguments.addAll(ALWAYS);
    arguments.addAll(
        List.of(
            "max_steps=5",
            "track_with=[jsonl, tensorboard]",
            "actor_train.training_args.per_device_train_batch_size=4",
            "sft.train_files=" + folder.resolve("arithmetic_demos/trajectories/step-0.jsonl")));
    return new Kind("sft", arguments, true);
  }

  /**
   * Returns an agent with a calculator, trained further from the first build's sft run in {@code
   * folder}.
   */
  static Kind agent(Path folder) {
    List<String> arguments = new ArrayList<>(List.of("train", "configs/arithmetic.yaml"));
    arguments.addAll(ALWAYS);
    arguments.addAll(
        List.of(
            "max_steps=3",
            "eval_steps=2",
            "rollout_batch_size=32",
            "val_batch_size=16",
            "train_env_manager.num_env_groups=4",
            "val_env_manager.num_env_groups=16",
            "actor_train.training_args.per_device_train_batch_size=8",
            "actor_train" + ALONE,
            "track_with=[jsonl, tensorboard]",
            "pretrain=" + folder.resolve("sft/checkpoint-5")));
    return new Kind("agent", arguments, true);
  }

  /** Returns the command that generates the demonstrations in {@code folder}. */
  static List<String> demonstrations(Path folder) {
    return List.of(
        "rollout",
        "configs/arithmetic_demos.yaml",
        "--agent",
        "scripted",
        "--episodes",
        "64",
        "output_dir=" + folder);
  }
}
