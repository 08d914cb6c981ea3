package roll.config.build;

import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import roll.api.option.UserException;
import roll.config.schema.Section;
import roll.config.tree.YamlTree;
import roll.text.ModelFolderHint;

/** Finds the folders and files a configuration names. */
public final class PathResolver {
  /** Pattern of options that name files, with the suffixes of others. */
  private static final Pattern FILES = Pattern.compile("folder|.*_(file|files|path|folder)");

  private final Section run;
  private final Path beside;
  private final boolean withoutModel;

  /**
   * For {@code run}, which came from a file in the folder {@code beside}.
   *
   * @param withoutModel whether no model need be named
   */
  public PathResolver(Section run, Path beside, boolean withoutModel) {
    this.run = run;
    this.beside = beside;
    this.withoutModel = withoutModel;
  }

  /**
   * Makes model folders absolute: relative ones are looked for in the current folder, then beside
   * the configuration file, then one folder up; so are folders of adapters. A role without a model
   * of its own gets {@code pretrain}.
   *
   * @throws UserException if a model is not named or not there
   */
  public void settle() {
    models();
    for (String data : List.of("sft", "preference")) {
      for (String key : run.has(data) ? List.of("train_files", "val_files") : List.<String>of()) {
        run.section(data).settle(key, place(run.section(data).texts(key)));
      }
    }
    if (run.has("rollout_mock")) {
      rolloutMock();
    }
    if (run.value("resume_from_checkpoint") instanceof String checkpoint
        && !checkpoint.equals(RunBuilder.AUTO)
        && !Files.isDirectory(Path.of(checkpoint))) {
      throw new UserException(
          run.where("resume_from_checkpoint") + ": no folder '" + checkpoint + "'");
    }
  }

  /**
   * Resolves the options {@code folder}, {@code …_file}, {@code …_files}, {@code …_path} and {@code
   * …_folder} of environments, rewards, and tools like model folders; the plugins check whether
   * they exist.
   */
  public void environments() {
    run.sections("custom_envs").values().forEach(this::environment);
  }

  private void models() {
    List<Section> models = new ArrayList<>();
    Stream.of("actor_train", "actor_infer", "reference")
        .filter(run::has)
        .forEach(role -> models.add(run.section(role).section("model_args")));
    String named = models.getFirst().textOrNull("model_name_or_path");
    if (withoutModel && !run.has("pretrain") && named == null) {
      return;
    }
    if (run.has("pretrain")) {
      run.settle("pretrain", found(run, "pretrain"));
    } else if (named == null) {
      throw new UserException(run.where("pretrain") + " is missing: it names the model folder");
    } else {
      run.settle("pretrain", found(models.getFirst(), "model_name_or_path"));
    }
    Stream.of("reward_models", Teachers.KEY)
        .flatMap(role -> run.sections(role).values().stream())
        .forEach(role -> models.add(role.section("model_args")));
    for (Section model : models) {
      model.settle(
          "model_name_or_path",
          model.has("model_name_or_path")
              ? found(model, "model_name_or_path")
              : run.text("pretrain"));
      if (model.has("adapter_name_or_path")) {
        model.settle("adapter_name_or_path", found(model, "adapter_name_or_path"));
      }
    }
    if (run.has("critic")) {
      critic(run.section("critic").section("model_args"));
    }
  }

  /**
   * Resolves the critic's model; as in ROLL, {@code reward_pretrain} takes precedence over its own.
   */
  private void critic(Section model) {
    if (run.has("reward_pretrain")) {
      run.settle("reward_pretrain", found(run, "reward_pretrain"));
      model.settle("model_name_or_path", run.text("reward_pretrain"));
    } else if (model.has("model_name_or_path")) {
      model.settle("model_name_or_path", found(model, "model_name_or_path"));
    } else {
      model.settle("model_name_or_path", run.text("pretrain"));
    }
  }

  /**
   * Resolves the folder of recorded rollouts in the current folder like {@code output_dir}, since
   * other runs read it.
   */
  private void rolloutMock() {
    Section mock = run.section("rollout_mock");
    if (!mock.flag("enable")) {
      run.settle("rollout_mock", null);
      return;
    }
    try {
      Path folder = Path.of(mock.text("dump_dir"));
      mock.settle("dump_dir", folder.toAbsolutePath().normalize().toString());
    } catch (InvalidPathException e) {
      throw mock.wrong("dump_dir", "the name of a folder");
    }
  }

  private void environment(Section environment) {
    files(environment, "env_config");
    files(environment, "rewards");
    if (environment.has("agent")) {
      files(environment.section("agent"), "tool_config");
    }
  }

  private void files(Section section, String key) {
    Map<String, @Nullable Object> options =
        Objects.requireNonNull(YamlTree.mapping(section.value(key)), key);
    section.settle(key, files(options));
  }

  /** Returns the mapping with absolute names of the existing files and folders. */
  private Map<String, @Nullable Object> files(Map<String, @Nullable Object> options) {
    Map<String, @Nullable Object> settled = new LinkedHashMap<>();
    options.forEach((key, value) -> settled.put(key, files(key, value)));
    return settled;
  }

  private @Nullable Object files(String key, @Nullable Object value) {
    Map<String, @Nullable Object> mapping = YamlTree.mapping(value);
    if (mapping != null) {
      return files(mapping);
    }
    if (!FILES.matcher(key).matches()) {
      return value;
    }
    return place(value);
  }

  /** Resolves the paths in {@code value}, a text or a list, that exist. */
  private @Nullable Object place(@Nullable Object value) {
    List<@Nullable Object> list = YamlTree.list(value);
    if (list != null) {
      List<@Nullable Object> places = new ArrayList<>();
      list.forEach(element -> places.add(place(element)));
      return places;
    }
    return value instanceof String name && !name.isBlank()
        ? places(name)
            .filter(Files::exists)
            .findFirst()
            .map(place -> place.toAbsolutePath().normalize().toString())
            .orElse(name)
        : value;
  }

  private Stream<Path> places(String name) {
    return Stream.of(Path.of(name), beside.resolve(name), beside.resolve("..").resolve(name));
  }

  private String found(Section section, String key) {
    String name = section.text(key);
    for (Path folder : places(name).toList()) {
      if (!name.isBlank() && Files.isDirectory(folder)) {
        return folder.toAbsolutePath().normalize().toString();
      }
    }
    throw new UserException(
        section.where(key)
            + ": no folder '"
            + name
            + "' here or next to the configuration file (models are read from local folders,"
            + " nothing is downloaded)"
            + ModelFolderHint.of(Path.of(name)));
  }
}
