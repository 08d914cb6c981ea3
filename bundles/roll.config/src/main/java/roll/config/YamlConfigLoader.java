package roll.config;

import java.nio.file.Path;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import org.osgi.service.component.annotations.ReferenceCardinality;
import org.osgi.service.component.annotations.ReferencePolicy;
import roll.api.config.WorkerConfig;
import roll.api.dataset.DataSets;
import roll.api.device.DeviceInspector;
import roll.api.option.UserException;
import roll.config.build.BatchFit;
import roll.config.build.DependentDefaults;
import roll.config.build.DeviceLayout;
import roll.config.build.Folders;
import roll.config.build.RunBuilder;
import roll.config.build.SftBuilder;
import roll.config.build.Switches;
import roll.config.build.TrainedFor;
import roll.config.schema.Checker;
import roll.config.schema.EffectiveYaml;
import roll.config.schema.Key;
import roll.config.schema.Schema;
import roll.config.schema.Section;
import roll.config.tree.Composition;
import roll.config.tree.Interpolation;
import roll.config.tree.Origins;
import roll.config.tree.Overrides;
import roll.config.tree.Resolvers;
import roll.config.tree.Tree;
import roll.config.verl.OurKeys;
import roll.config.verl.Verl;
import roll.config.verl.VerlTable;
import roll.runtime.config.ConfigLoader;
import roll.runtime.config.LoadedConfig;
import roll.runtime.config.LoadedSft;
import roll.runtime.config.RunConfig;

/**
 * Loads a configuration: compose the files, apply the overrides, resolve the interpolations, read
 * verl's options as ours, check against the schema, derive dependent defaults, check that sizes
 * fit, build the records.
 */
@Component(name = "roll.config")
public final class YamlConfigLoader implements ConfigLoader {
  private final Schema schema = new Schema();
  private final VerlTable verl = new VerlTable();
  private final Function<String, @Nullable String> environment;

  @Reference(cardinality = ReferenceCardinality.OPTIONAL, policy = ReferencePolicy.DYNAMIC)
  private volatile @Nullable DataSets dataSets;

  @Reference(cardinality = ReferenceCardinality.OPTIONAL, policy = ReferencePolicy.DYNAMIC)
  private volatile @Nullable DeviceInspector devices;

  /** A loader with the environment variables of this process. */
  @Activate
  public YamlConfigLoader() {
    this(System::getenv);
  }

  /** A loader with the given environment variables, without data sets. */
  YamlConfigLoader(Function<String, @Nullable String> environment) {
    this.environment = environment;
  }

  /** A loader with the given environment variables and the data sets of {@code dataSets}. */
  YamlConfigLoader(Function<String, @Nullable String> environment, DataSets dataSets) {
    this(environment);
    this.dataSets = dataSets;
  }

  /** A loader with the given environment variables on a machine with {@code devices}. */
  YamlConfigLoader(Function<String, @Nullable String> environment, DeviceInspector devices) {
    this(environment);
    this.devices = devices;
  }

  @Override
  public LoadedConfig load(Path file, List<String> overrides) {
    return load(file, overrides, Purpose.TRAINING).config();
  }

  @Override
  public LoadedConfig loadForRollout(Path file, List<String> overrides) {
    return load(file, overrides, Purpose.ROLLOUT).config();
  }

  @Override
  public LoadedSft loadForSft(Path file, List<String> overrides) {
    Loaded loaded = load(file, overrides, Purpose.SFT);
    return new LoadedSft(loaded.config(), SftBuilder.build(loaded.run()));
  }

  @Override
  public LoadedConfig loadAsWritten(Path file, List<String> overrides) {
    Map<String, @Nullable Object> tree = composed(file, overrides).tree();
    boolean plays =
        tree.containsKey("custom_envs")
            || tree.containsKey("train_env_manager")
            || tree.containsKey("data");
    return load(file, overrides, tree.get("sft") == null || plays ? Purpose.TRAINING : Purpose.SFT)
        .config();
  }

  @Override
  public List<String> keys() {
    return schema.paths();
  }

  private static Composition composed(Path file, List<String> overrides) {
    Composition composition =
        file.toString().isEmpty() ? Composition.empty() : RollPipelines.compose(file);
    Overrides setter = new Overrides(composition.tree(), composition.origins());
    overrides.forEach(setter::apply);
    return composition;
  }

  /** The purpose of a loaded configuration. */
  private enum Purpose {
    TRAINING,
    ROLLOUT,
    SFT
  }

  private record Loaded(LoadedConfig config, Section run) {}

  private Loaded load(Path file, List<String> overrides, Purpose purpose) {
    boolean rollout = purpose == Purpose.ROLLOUT;
    boolean sft = purpose == Purpose.SFT;
    Composition composition = composed(file, overrides);
    Origins origins = composition.origins();
    RollPipelines.check(composition.tree(), origins);
    if (sft) {
      SftBuilder.refuseVerl(composition.tree(), origins);
    }
    Interpolation interpolation =
        new Interpolation(
            composition.tree(),
            origins,
            new Resolvers(environment, ZonedDateTime.now(ZoneId.systemDefault())));
    Map<String, @Nullable Object> tree = interpolation.resolve();
    List<String> notices = new ArrayList<>();
    OurKeys translated = new Verl(verl, schema, environment).translate(tree, origins, notices);
    Set<String> unneeded = Notices.ofOtherSystems(notices);
    notices.addAll(new RollEnvironments(tree, origins).translate());
    notices.addAll(new RollRoles(tree, origins).translate());
    if (rollout) {
      WithoutModel.complete(tree);
    }
    if (sft) {
      WithoutModel.sampling(tree);
    } else if (!rollout) {
      QuantizedRollouts.complete(tree, notices);
    }

    Set<String> variables = new LinkedHashSet<>(composition.inherited());
    variables.addAll(interpolation.referenced());
    Checker checker = new Checker(schema, verl.sections(), origins, variables);
    Section run = checker.check(tree);
    List<String> idle = Notices.unused(checker.notices(), interpolation.referenced());
    notices.addAll(idle);
    unneeded.addAll(idle);
    Set<String> changed = changed(run);
    new Switches(run, changed, notices).check();
    new SystemVariables(run, environment).settle(notices, unneeded);
    if (sft) {
      SftBuilder.settle(run);
    }
    Folders folders =
        new Folders(run, Objects.requireNonNullElse(file.getParent(), Path.of("")), rollout);
    folders.environments();
    new DependentDefaults(run, dataSets, devices, notices)
        .settle(Objects.requireNonNull(file.getFileName()).toString(), !sft);
    BatchFit fit = new BatchFit(run);
    if (sft) {
      new DeviceLayout(run, devices).checkTraining();
    } else if (rollout) {
      continuesNothing(run);
      fit.checkManagers();
    } else {
      new DeviceLayout(run, devices).check();
      fit.check();
      TrainedFor.check(run);
      Optional.ofNullable(fit.notice()).ifPresent(notices::add);
    }
    Map<String, Long> derived = sft ? fit.derivedOfSft() : fit.derived();
    if (translated != null) {
      derived.putAll(fit.derivedOfDevices());
      notices.replaceAll(translated::inTheirWords);
      unneeded = unneeded.stream().map(translated::inTheirWords).collect(Collectors.toSet());
    }
    folders.settle();
    EffectiveYaml effective = new EffectiveYaml(schema, composition.tree());
    String yaml = effective.write(run);
    RunConfig built = new RunBuilder(run, totalUpdates(run, sft, fit)).build();
    if (purpose == Purpose.TRAINING) {
      notices.addAll(Notices.ofSampling(built));
    }
    DeviceInspector inspector = devices;
    if (inspector != null) {
      Collection<WorkerConfig> computing =
          switch (purpose) {
            case SFT -> List.of(built.roles().actorTrain());
            case ROLLOUT -> List.of(built.roles().actorInfer());
            case TRAINING -> built.roles().byName().values();
          };
      notices.addAll(Notices.ofFormats(computing, built.devices().count(), inspector));
    }
    LoadedConfig config =
        new LoadedConfig(
            file,
            built,
            yaml,
            effective.left(),
            List.copyOf(notices),
            Set.copyOf(unneeded),
            changed,
            derived,
            run.has("sft") ? SftBuilder.build(run) : null);
    return new Loaded(config, run);
  }

  /** A rollout has no checkpoints, so it never resumes. */
  private static void continuesNothing(Section run) {
    if (RunBuilder.AUTO.equals(run.value("resume_from_checkpoint"))) {
      run.settle("resume_from_checkpoint", false);
    }
  }

  /** Top-level keys whose value differs from their default. */
  private Set<String> changed(Section run) {
    return schema.section(Schema.RUN).values().stream()
        .filter(key -> run.given(key.name()))
        .filter(key -> !Tree.same(run.value(key.name()), key.standard()))
        .map(Key::name)
        .collect(Collectors.toUnmodifiableSet());
  }

  private static int totalUpdates(Section run, boolean sft, BatchFit fit) {
    long updates = sft ? run.integer("max_steps") : fit.totalUpdates();
    if (updates > Integer.MAX_VALUE) {
      throw new UserException(
          run.where("max_steps")
              + ": expected at most "
              + Integer.MAX_VALUE
              + " optimizer steps, found '"
              + updates
              + "'");
    }
    return (int) updates;
  }
}
