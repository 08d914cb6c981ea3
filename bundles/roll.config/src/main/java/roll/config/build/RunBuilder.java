package roll.config.build;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import roll.api.config.EnvConfig;
import roll.api.config.WorkerConfig;
import roll.api.option.UserException;
import roll.config.schema.Section;
import roll.config.tree.YamlTree;
import roll.runtime.config.CheckpointConfig;
import roll.runtime.config.CriticConfig;
import roll.runtime.config.CurriculumConfig;
import roll.runtime.config.DevicesConfig;
import roll.runtime.config.EnvManagerConfig;
import roll.runtime.config.EnvMonitorConfig;
import roll.runtime.config.ModelRoles;
import roll.runtime.config.ProxyConfig;
import roll.runtime.config.RewardModelConfig;
import roll.runtime.config.RolloutConfig;
import roll.runtime.config.RolloutMockConfig;
import roll.runtime.config.RolloutMockConfig.Mode;
import roll.runtime.config.RunConfig;
import roll.runtime.config.ScheduleConfig;
import roll.runtime.config.TeacherConfig;
import roll.runtime.config.TrackingConfig;
import roll.runtime.config.ValidationConfig;

/** Builds the typed configuration of a run from its checked keys. */
public final class RunBuilder {
  /** The value of {@code resume_from_checkpoint} that verl writes for {@code true}. */
  public static final String AUTO = "auto";

  private static final String CURRICULUM = "curriculum";
  private static final String TYPE = "type";
  private static final double GIB = 1L << 30;

  private final Section run;
  private final int totalUpdates;

  /** For {@code run}, which has {@code totalUpdates} optimizer steps. */
  public RunBuilder(Section run, int totalUpdates) {
    this.run = run;
    this.totalUpdates = totalUpdates;
  }

  /** Builds the typed run configuration. */
  public RunConfig build() {
    Map<String, EnvConfig> environments = new LinkedHashMap<>();
    run.sections("custom_envs")
        .forEach((tag, env) -> environments.put(tag, EnvironmentBuilder.of(tag, env)));
    return new RunConfig(
        run.text("exp_name"),
        run.longInteger("seed"),
        Path.of(run.text("output_dir")).resolve(run.text("exp_name")),
        schedule(),
        run.integer("sequence_length"),
        devices(),
        new AlgorithmBuilder(run).build(),
        roles(),
        rollout(environments),
        new TrackingConfig(
            run.texts("track_with"), TrackerBuilder.options(run), run.text("metric_names")),
        ExtensionsBuilder.of(run),
        RunFoldersBuilder.of(run));
  }

  private DevicesConfig devices() {
    int nodes = run.has("num_nodes") ? run.integer("num_nodes") : 1;
    return new DevicesConfig(
        run.has("num_gpus_per_node") ? run.integer("num_gpus_per_node") * nodes : 0,
        run.has("device_memory_gb") ? (long) (run.number("device_memory_gb") * GIB) : 0,
        run.flag("full_determinism"),
        nodes);
  }

  private ModelRoles roles() {
    WorkerBuilder workers = new WorkerBuilder(run, totalUpdates);
    return new ModelRoles(
        Path.of(run.has("pretrain") ? run.text("pretrain") : ""),
        workers.build("actor_train"),
        workers.build("actor_infer"),
        run.has("reference") ? workers.build("reference") : null,
        run.has("critic") ? critic(workers.build("critic")) : null,
        rewardModels(workers),
        teachers(workers),
        ScoringModel.trained(run.section("actor_train").section("model_args")));
  }

  private RolloutConfig rollout(Map<String, EnvConfig> environments) {
    return new RolloutConfig(
        manager(run.section("train_env_manager")),
        manager(run.section("val_env_manager")),
        environments,
        monitor(run.section("env_monitor")),
        rolloutMock(),
        curriculum());
  }

  private Map<String, RewardModelConfig> rewardModels(WorkerBuilder workers) {
    Map<String, RewardModelConfig> models = new LinkedHashMap<>();
    run.sections("reward_models")
        .forEach(
            (name, model) ->
                models.put(
                    name,
                    new RewardModelConfig(
                        workers.build("reward_models." + name, model),
                        ScoringModel.is(model)
                            ? null
                            : new SamplingBuilder(model.section("generating_args")).sampling(),
                        model.integer("sequence_length"))));
    return models;
  }

  private Map<String, TeacherConfig> teachers(WorkerBuilder workers) {
    Map<String, TeacherConfig> teachers = new LinkedHashMap<>();
    run.sections(Teachers.KEY)
        .forEach(
            (name, own) ->
                teachers.put(
                    name,
                    new TeacherConfig(
                        workers.build(Teachers.KEY + "." + name, own), own.texts("tag_included"))));
    return teachers;
  }

  private CriticConfig critic(WorkerConfig worker) {
    return new CriticConfig(worker, run.numberOrNull("value_clip"), run.integer("critic_warmup"));
  }

  private ScheduleConfig schedule() {
    Object resume = run.value("resume_from_checkpoint");
    return new ScheduleConfig(
        run.integer("max_steps"),
        new CheckpointConfig(
            run.integer("save_steps"),
            run.integer("max_ckpt_to_keep"),
            run.flag("async_save_ckpt"),
            !Boolean.FALSE.equals(resume),
            resume instanceof String checkpoint && !checkpoint.equals(AUTO)
                ? Path.of(checkpoint)
                : null),
        run.integer("logging_steps"),
        new ValidationConfig(
            run.integer("eval_steps"), run.flag("val_before_train"), run.integer("val_batch_size")),
        run.integer("max_skipped_steps"),
        run.integer("rollout_batch_size"),
        run.number("async_generation_ratio"));
  }

  private static EnvManagerConfig manager(Section manager) {
    return new EnvManagerConfig(
        manager.texts("tags"),
        manager.integers("num_groups_partition"),
        manager.integer("group_size"),
        manager.integer("group_size_redundancy"),
        EnvManagerNames.filter(manager),
        new SamplingBuilder(manager.section("generating_args")).sampling(),
        manager.has("llm_proxy") ? proxy(manager.section("llm_proxy")) : ProxyConfig.POLICY);
  }

  private static ProxyConfig proxy(Section proxy) {
    return new ProxyConfig(proxy.text("proxy_type"), proxy.mapping("proxy_config"));
  }

  private static EnvMonitorConfig monitor(Section monitor) {
    return new EnvMonitorConfig(
        monitor.flag("enable") ? monitor.number("hung_timeout") : 0,
        monitor.flag("enable") ? monitor.number("reward_timeout") : 0,
        monitor.integer("max_retries"),
        monitor.integer("quarantine_after"));
  }

  private @Nullable RolloutMockConfig rolloutMock() {
    if (!run.has("rollout_mock")) {
      return null;
    }
    Section mock = run.section("rollout_mock");
    return new RolloutMockConfig(
        mock.text("mode").equals("dump") ? Mode.DUMP : Mode.MOCK, Path.of(mock.text("dump_dir")));
  }

  /**
   * Returns the curriculum of {@code run}, or null where it is absent or empty.
   *
   * @throws UserException if it has no name
   */
  private @Nullable CurriculumConfig curriculum() {
    Map<String, Object> options = new LinkedHashMap<>(run.mapping(CURRICULUM));
    if (options.isEmpty()) {
      return null;
    }
    Object type = options.remove(TYPE);
    if (!(type instanceof String name) || name.isBlank()) {
      throw new UserException(
          run.where(CURRICULUM)
              + "."
              + TYPE
              + ": expected the name of a curriculum, found "
              + (type == null ? "none" : YamlTree.shown(type)));
    }
    return new CurriculumConfig(name, options);
  }
}
