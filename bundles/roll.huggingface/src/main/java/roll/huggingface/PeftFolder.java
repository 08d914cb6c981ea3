package roll.huggingface;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import roll.api.model.Adapter;
import roll.api.model.DecoderSpec;
import roll.api.option.UserException;
import roll.decoder.DecoderParameters;
import roll.text.Suggestion;

/**
 * A folder of adapters in PEFT's layout: adapter_config.json, and adapter_model.safetensors with A
 * and B of each adapted module.
 *
 * <p>Layout: PEFT, docs "PEFT checkpoint format" and utils/save_and_load.py.
 */
public final class PeftFolder {
  private static final String TENSORS = "adapter_model.safetensors";

  /** Prefix of the names of adapter tensors in PEFT files. */
  public static final String PREFIX = "base_model.model.";

  private final Path path;
  private final PeftConfig config;

  private PeftFolder(Path path, PeftConfig config) {
    this.path = path;
    this.config = config;
  }

  /** Returns whether {@code folder} has adapters in PEFT's layout. */
  public static boolean is(Path folder) {
    return Files.exists(folder.resolve(PeftConfig.FILE));
  }

  /**
   * Opens the adapters in {@code folder}.
   *
   * @throws UserException if there are none, or they are not supported
   */
  public static PeftFolder open(Path folder) {
    Path file = folder.resolve(PeftConfig.FILE);
    if (!Files.exists(file)) {
      throw new UserException(
          Files.isDirectory(folder)
              ? folder + ": holds no adapters (" + PeftConfig.FILE + " is missing)"
              : folder + ": no such adapter folder");
    }
    return new PeftFolder(folder, PeftConfig.read(file));
  }

  /**
   * Returns the path of a model's {@code file}: in {@code folder}, or for adapters without it in
   * the base model's folder. It need not exist.
   */
  static Path find(Path folder, String file) {
    Path here = folder.resolve(file);
    return Files.exists(here) || !is(folder) ? here : open(folder).base().resolve(file);
  }

  /** The folder of the adapter. */
  public Path path() {
    return path;
  }

  /**
   * Returns the base model's folder; a relative path is resolved against this folder, then against
   * the working directory.
   *
   * @throws UserException if there is none
   */
  public Path base() {
    Path beside = path.resolve(config.base());
    Path base = Files.isDirectory(beside) ? beside : Path.of(config.base());
    if (config.base().isEmpty() || !Files.isDirectory(base) || is(base)) {
      throw new UserException(
          "%s: base_model_name_or_path: '%s' is no model folder on this machine"
              .formatted(path.resolve(PeftConfig.FILE), config.base()));
    }
    return base;
  }

  /**
   * Returns the adapters for the model {@code spec}.
   *
   * @throws UserException if a tensor belongs to no projection or has another shape
   */
  public Adapter adapter(DecoderSpec spec) {
    try (Safetensors files = files()) {
      Set<String> projections = new LinkedHashSet<>(DecoderParameters.projections(spec));
      Set<String> modules = new LinkedHashSet<>();
      for (String name : files.tensors().keySet()) {
        String module = module(spec, name);
        if (module.startsWith("visual.")) {
          throw new UserException(
              "%s: tensor '%s' is an adapter of the vision tower; only adapters of the decoder are supported"
                  .formatted(path.resolve(TENSORS), name));
        }
        if (!projections.contains(module)) {
          throw new UserException(
              "%s: tensor '%s' is not an adapter of a projection of the model%s"
                  .formatted(path.resolve(TENSORS), name, Suggestion.near(module, projections)));
        }
        modules.add(module);
      }
      if (modules.isEmpty()) {
        throw new UserException(path.resolve(TENSORS) + ": holds no tensor");
      }
      Adapter adapter = config.adapter(modules);
      DecoderParameters.of(spec.with(adapter)).stream()
          .filter(parameter -> parameter.adapts() && parameter.size() > 0)
          .forEach(parameter -> require(files, spec, parameter));
      return adapter;
    }
  }

  /**
   * Returns the adapter {@code parameter} of {@code spec} in {@code files}.
   *
   * @throws UserException if it is missing or has another shape
   */
  public static StoredTensor require(
      Safetensors files, DecoderSpec spec, DecoderSpec.Parameter parameter) {
    if (files.tensors().containsKey(PREFIX + parameter.name())) {
      return files.require(PREFIX + parameter.name(), parameter.shape());
    }
    return files.tensors().keySet().stream()
        .filter(tensor -> tensor.startsWith(PREFIX) && known(spec, tensor).equals(parameter.name()))
        .findFirst()
        .map(tensor -> files.require(tensor, parameter.shape()))
        .orElseGet(() -> files.require(PREFIX + parameter.name(), parameter.shape()));
  }

  private static String known(DecoderSpec spec, String tensor) {
    return StoredNames.known(
        spec, tensor.startsWith(PREFIX) ? tensor.substring(PREFIX.length()) : tensor);
  }

  private static String module(DecoderSpec spec, String tensor) {
    String name = known(spec, tensor);
    return Stream.of(Adapter.A, Adapter.B)
        .filter(name::endsWith)
        .findFirst()
        .map(end -> name.substring(0, name.length() - end.length()))
        .orElse(name);
  }

  /** Opens the file of tensors; the caller closes it. */
  public Safetensors files() {
    Path file = path.resolve(TENSORS);
    Path pickled = path.resolve("adapter_model.bin");
    if (!Files.exists(file) && !Files.exists(pickled)) {
      throw new UserException(file + ": is missing");
    }
    // opening weights refuses pickle files with the reason
    return Safetensors.open(Files.exists(file) ? file : pickled);
  }

  /**
   * Refuses adapters of another base model. A missing folder may have been moved and is accepted.
   *
   * @throws UserException if the named folder exists and is not {@code model}
   */
  public void requireBase(Path model) {
    Path named = path.resolve(config.base());
    try {
      if (!config.base().isEmpty()
          && Files.isDirectory(named)
          && !is(named)
          && !named.startsWith(path)
          && !Files.isSameFile(named, model)) {
        throw new UserException(
            "%s: holds adapters of the model %s, not of %s".formatted(path, named, model));
      }
    } catch (IOException e) {
      throw new UserException(named + ": cannot be read", e);
    }
  }

  /**
   * Writes {@code adapters} of the model {@code spec}.
   *
   * @param base path of the base model for the file
   */
  public static void write(Path folder, DecoderSpec spec, List<StoredTensor> adapters, String base)
      throws IOException {
    List<StoredTensor> tensors =
        adapters.stream()
            .map(adapter -> adapter.named(PREFIX + StoredNames.published(spec, adapter.name())))
            .toList();
    SafetensorsWriter.write(folder.resolve(TENSORS), tensors, TensorFormat.F32);
    Files.writeString(
        folder.resolve(PeftConfig.FILE),
        PeftConfig.text(Objects.requireNonNull(spec.adapter()), spec, base));
  }
}
