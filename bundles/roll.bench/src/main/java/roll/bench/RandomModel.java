package roll.bench;

import com.google.gson.Gson;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import roll.huggingface.ModelFolder;
import roll.huggingface.SafetensorsWriter;
import roll.huggingface.StoredTensor;
import roll.huggingface.TensorFormat;
import roll.torch.Device;
import roll.torch.model.Parameters;

/**
 * A temporary model folder.
 *
 * @param folder of the model
 */
record RandomModel(Path folder) implements AutoCloseable {
  /** Creates a folder with {@code config} and the tokenizer of {@code like}, without weights. */
  static RandomModel create(Map<String, @Nullable Object> config, Path like) throws IOException {
    RandomModel model = new RandomModel(Files.createTempDirectory("roll-bench"));
    describe(model.folder, config, like);
    return model;
  }

  /** Writes {@code config} and the tokenizer of {@code like} to {@code folder}. */
  static void describe(Path folder, Map<String, @Nullable Object> config, Path like)
      throws IOException {
    Files.writeString(folder.resolve("config.json"), new Gson().toJson(config));
    for (String file : List.of("tokenizer.json", "tokenizer_config.json")) {
      if (Files.exists(like.resolve(file))) {
        Files.copy(like.resolve(file), folder.resolve(file));
      }
    }
  }

  /**
   * Saves random weights into {@code folder}; only on the compute thread.
   *
   * @return seconds of writing, without generating the weights
   */
  static double save(Device device, ModelFolder folder, TensorFormat format) throws IOException {
    try (Parameters random = Parameters.random(device, folder.spec(), 1)) {
      List<StoredTensor> stored =
          IntStream.range(0, random.tensors().size()).mapToObj(random::stored).toList();
      long start = System.nanoTime();
      SafetensorsWriter.writeModel(folder.path(), stored, format, SafetensorsWriter.SHARD_BYTES);
      return (System.nanoTime() - start) * 1e-9;
    }
  }

  /** Deletes the folder, which has no sub-folders. */
  @Override
  public void close() throws IOException {
    List<Path> files;
    try (Stream<Path> listed = Files.list(folder)) {
      files = listed.toList();
    }
    for (Path file : files) {
      Files.delete(file);
    }
    Files.delete(folder);
  }
}
