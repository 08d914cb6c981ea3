package roll.config;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
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
import roll.api.dataset.DataSetReader;
import roll.api.device.DeviceInspector;
import roll.api.option.UserException;
import roll.config.LoadStage.Purpose;
import roll.config.build.RunBuilder;
import roll.config.build.SftBuilder;
import roll.config.roll.RollDialect;
import roll.config.schema.EffectiveYaml;
import roll.config.schema.Key;
import roll.config.schema.Schema;
import roll.config.schema.Section;
import roll.config.tree.Composition;
import roll.config.tree.KeyOrigins;
import roll.config.tree.Overrides;
import roll.config.tree.YamlTree;
import roll.config.trl.TrlFile;
import roll.config.trl.TrlTrainer;
import roll.config.verl.VerlDialect;
import roll.config.verl.VerlSft;
import roll.runtime.config.ConfigLoader;
import roll.runtime.config.LoadedConfig;
import roll.runtime.config.LoadedSft;
import roll.runtime.config.ModelRoles;
import roll.runtime.config.RunConfig;
import roll.runtime.dialect.ConfigDialect;

/**
 * Loads a configuration: composes the files and applies the overrides, has a {@link Draft}
 * translate and check the keys and {@link DerivedValues} derive what depends on others, and builds
 * the records.
 */
@Component(name = "roll.config")
public final class YamlConfigLoader implements ConfigLoader {
  private final Schema schema = new Schema();
  private final Function<String, @Nullable String> environment;

  /** The dialects, lowest rank first; outside of a framework those of this project. */
  @Reference(policy = ReferencePolicy.DYNAMIC)
  private volatile List<ConfigDialect> dialects = List.of(new RollDialect(), new VerlDialect());

  @Reference(cardinality = ReferenceCardinality.OPTIONAL, policy = ReferencePolicy.DYNAMIC)
  private volatile @Nullable DataSetReader dataSets;

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
  YamlConfigLoader(Function<String, @Nullable String> environment, DataSetReader dataSets) {
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
    return load(file, overrides, Purpose.TRAINING);
  }

  @Override
  public LoadedConfig loadForRollout(Path file, List<String> overrides) {
    return load(file, overrides, Purpose.ROLLOUT);
  }

  @Override
  public LoadedSft loadForSft(Path file, List<String> overrides) {
    LoadedConfig loaded = load(file, overrides, Purpose.SFT);
    return new LoadedSft(loaded, Objects.requireNonNull(loaded.sft()));
  }

  @Override
  public LoadedConfig loadAsWritten(Path file, List<String> overrides) {
    Composition composition = composed(file, overrides);
    Map<String, @Nullable Object> tree = composition.tree();
    TrlTrainer trainer = TrlFile.trainer(tree, composition.origins()::of);
    if (trainer != null) {
      return load(file, overrides, trainer.plays() ? Purpose.TRAINING : Purpose.SFT);
    }
    boolean plays =
        tree.containsKey("custom_envs")
            || tree.containsKey("train_env_manager")
            || (tree.containsKey("data") && !VerlSft.is(tree));
    boolean supervised =
        tree.get("sft") != null
            || tree.get("preference") != null
            || RollPipelines.isSupervised(tree)
            || VerlSft.is(tree);
    return load(file, overrides, supervised && !plays ? Purpose.SFT : Purpose.TRAINING);
  }

  @Override
  public List<String> keys() {
    return schema.paths();
  }

  private static Composition composed(Path file, List<String> overrides) {
    Composition composition =
        file.toString().isEmpty() ? Composition.empty() : Composition.of(file);
    Overrides setter = new Overrides(composition.tree(), composition.origins());
    VerlSft.withGroups(overrides).forEach(setter::apply);
    return composition;
  }

  private LoadedConfig load(Path file, List<String> overrides, Purpose purpose) {
    try {
      return derived(file, overrides, purpose);
    } catch (ArithmeticException e) { // of the exact products in which dialects count
      throw new UserException(
          file + ": batch sizes, passes or steps come to more than " + Integer.MAX_VALUE, e);
    }
  }

  private LoadedConfig derived(Path file, List<String> overrides, Purpose purpose) {
    ConfigEnvironment host = new ConfigEnvironment(environment, dataSets, devices);
    Composition composition = composed(file, overrides);
    Path beside = Objects.requireNonNullElse(file.getParent(), Path.of(""));
    Draft draft = new Draft(composition, beside, dialects.reversed(), environment);
    Section run = draft.checked(schema, purpose);
    Set<String> changed = changed(run, composition.origins());
    DerivedValues settling = new DerivedValues(purpose, file, draft, run, host, changed);
    settling.perform();
    EffectiveYaml effective = new EffectiveYaml(schema, composition.tree());
    String yaml = effective.write(run);
    RunConfig built = new RunBuilder(run, settling.totalUpdates()).build();
    draft.notices().addAll(notices(built, purpose, host.devices()));
    return new LoadedConfig(
        file,
        built,
        yaml,
        effective.left(),
        List.copyOf(draft.notices()),
        Set.copyOf(draft.unneeded()),
        changed,
        settling.derived(),
        SftBuilder.build(run));
  }

  /** Notices for the user about a run. */
  private static List<String> notices(
      RunConfig run, Purpose purpose, @Nullable DeviceInspector devices) {
    List<String> notices = new ArrayList<>();
    if (purpose == Purpose.TRAINING) {
      notices.addAll(Notices.ofSampling(run));
    }
    if (devices != null) {
      Collection<WorkerConfig> computing =
          switch (purpose) {
            case SFT -> supervised(run.roles());
            case ROLLOUT -> List.of(run.roles().actorInfer());
            case TRAINING -> run.roles().byName().values();
          };
      notices.addAll(Notices.ofFormats(computing, run.devices().count(), devices));
    }
    return notices;
  }

  private static List<WorkerConfig> supervised(ModelRoles roles) {
    WorkerConfig reference = roles.reference();
    return reference == null || roles.referenceIsActor()
        ? List.of(roles.actorTrain())
        : List.of(roles.actorTrain(), reference);
  }

  /** Returns the top-level keys that were written and whose value differs from their default. */
  private Set<String> changed(Section run, KeyOrigins origins) {
    return schema.section(Schema.RUN).values().stream()
        .filter(key -> run.given(key.name()) && origins.written(key.name()))
        .filter(key -> !YamlTree.same(run.value(key.name()), key.standard()))
        .map(Key::name)
        .collect(Collectors.toUnmodifiableSet());
  }
}
