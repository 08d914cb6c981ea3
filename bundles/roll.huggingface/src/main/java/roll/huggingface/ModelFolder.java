package roll.huggingface;

import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import com.google.gson.JsonParseException;
import com.google.gson.ToNumberPolicy;
import com.google.gson.reflect.TypeToken;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import roll.api.model.Adapter;
import roll.api.model.DecoderSpec;
import roll.api.model.family.ModelFamily;
import roll.api.option.PlainFile;
import roll.api.option.UserException;
import roll.text.ModelFolderHint;
import roll.text.Suggestion;

/**
 * An inspected Hugging Face model folder: its specification, and whether it holds weights.
 *
 * @param path the folder
 * @param spec specification, including adapters
 * @param hasWeights whether there are safetensors files; otherwise weights are random
 * @param adapters folder of existing adapters, or null
 */
public record ModelFolder(
    Path path, DecoderSpec spec, boolean hasWeights, @Nullable PeftFolder adapters) {
  private static final Gson GSON =
      new GsonBuilder().setObjectToNumberStrategy(ToNumberPolicy.LONG_OR_DOUBLE).create();

  /**
   * Inspects {@code path}; for a folder of adapters, their base model with these adapters.
   *
   * @param families the registered architectures by {@code model_type}
   * @throws UserException if the folder, its config.json or its tokenizer.json is missing, if the
   *     architecture is unknown, or if the weights are pickled
   */
  public static ModelFolder open(Path path, Map<String, ModelFamily> families) {
    if (!Files.isDirectory(path)) {
      throw new UserException(path + ": no such model folder" + ModelFolderHint.of(path));
    }
    if (PeftFolder.is(path)) {
      PeftFolder adapters = PeftFolder.open(path);
      return open(adapters.base(), families).with(adapters);
    }
    Path config = path.resolve("config.json");
    if (!Files.exists(config)) {
      throw new UserException(config + ": no such file" + ModelFolderHint.of(path));
    }
    Map<String, @Nullable Object> json = readJson(config);
    if (!(json.get("model_type") instanceof String type)) {
      throw new UserException(
          config + ": model_type: expected text, found '" + json.get("model_type") + "'");
    }
    ModelFamily family = families.get(type);
    if (family == null) {
      Map<String, ModelFamily> known = new TreeMap<>(families);
      throw new UserException(
          "%s: model_type '%s' is not supported (registered: %s)%s"
              .formatted(
                  config,
                  type,
                  known.isEmpty() ? "none" : String.join(", ", known.keySet()),
                  Suggestion.near(type, known.keySet())));
    }
    if (!Files.isRegularFile(path.resolve("tokenizer.json"))) {
      throw new UserException(path + ": tokenizer.json is missing");
    }
    DecoderSpec spec = family.describe(config.toString(), json);
    return new ModelFolder(path, spec, Safetensors.exist(path), null);
  }

  /**
   * Returns this model with the adapters in a folder.
   *
   * @throws UserException if they belong to another model, or if it already has adapters
   */
  public ModelFolder with(PeftFolder folder) {
    refuseMoreAdapters();
    return new ModelFolder(path, spec.with(folder.adapter(spec)), hasWeights, folder);
  }

  /**
   * Returns this model with new adapters.
   *
   * @throws UserException if it already has adapters
   */
  public ModelFolder with(Adapter adapter) {
    refuseMoreAdapters();
    return new ModelFolder(path, spec.with(adapter), hasWeights, null);
  }

  private void refuseMoreAdapters() {
    if (adapters != null) {
      throw new UserException(
          "%s: holds adapters of the model %s; merge them before adding others"
              .formatted(adapters.path(), path));
    }
  }

  /**
   * Returns this folder as a value model.
   *
   * @throws UserException if it has vision
   */
  public ModelFolder withValueHead() {
    if (spec.vision() != null) {
      throw new UserException(
          path + ": value models with vision are not supported; use one for text");
    }
    return new ModelFolder(path, spec.withValueHead(), hasWeights, null);
  }

  /**
   * Refuses a tokenizer with tokens beyond the model's vocabulary.
   *
   * @param tokens size of the tokenizer
   * @throws UserException if the model's vocabulary is smaller
   */
  public void requireVocabulary(int tokens) {
    if (spec.vocabulary() < tokens) {
      throw new UserException(
          "%s: the tokenizer has %d tokens, but vocab_size of config.json is %d"
              .formatted(path, tokens, spec.vocabulary()));
    }
  }

  /**
   * Refuses sequences that are longer than the model's positions.
   *
   * @param tokens of the longest sequence, {@code sequence_length}
   * @throws UserException if the model has fewer positions
   */
  public void requirePositions(int tokens) {
    if (tokens > spec.maxPositions()) {
      throw new UserException(
          "sequence_length: %d is more than max_position_embeddings %d of %s"
              .formatted(tokens, spec.maxPositions(), path));
    }
  }

  /**
   * Returns the JSON object in {@code file}.
   *
   * @throws UserException if it cannot be read or is not an object
   */
  static Map<String, @Nullable Object> readJson(Path file) {
    try {
      Map<String, @Nullable Object> json =
          GSON.<Map<String, @Nullable Object>>fromJson(
              PlainFile.text(file), new TypeToken<Map<String, @Nullable Object>>() {});
      if (json == null) {
        throw new UserException(file + ": is empty");
      }
      return json;
    } catch (IOException failure) {
      throw new UserException(file + ": cannot be read", failure);
    } catch (JsonParseException failure) {
      Throwable cause = Objects.requireNonNullElse(failure.getCause(), failure);
      String reason = String.valueOf(cause.getMessage()).lines().findFirst().orElse("");
      throw new UserException(file + ": is not a JSON object: " + reason, failure);
    }
  }
}
