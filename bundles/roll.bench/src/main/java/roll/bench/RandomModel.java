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
import roll.api.model.DecoderSpec;
import roll.decoder.DecoderParameters;
import roll.huggingface.ModelFolder;
import roll.huggingface.SafetensorsWriter;
import roll.huggingface.StoredTensor;
import roll.huggingface.TensorFormat;
import roll.torch.Device;
import roll.torch.model.Head;
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
      return save(random, folder, format);
    }
  }

  private static double save(Parameters weights, ModelFolder folder, TensorFormat format)
      throws IOException {
    List<StoredTensor> stored =
        IntStream.range(0, weights.tensors().size()).mapToObj(weights::stored).toList();
    long start = System.nanoTime();
    SafetensorsWriter.writeModel(folder.path(), stored, format, SafetensorsWriter.SHARD_BYTES);
    return (System.nanoTime() - start) * 1e-9;
  }

  /**
   * Saves weights into {@code folder}, whose head is untied, by which the likeliest token after
   * each is the number after it: layers add nothing, and a row of the head is the embedding of the
   * token before. Only on the compute thread.
   */
  static void saveCounting(Device device, ModelFolder folder) throws IOException {
    DecoderSpec spec = folder.spec();
    try (Parameters weights = Parameters.random(device, spec, 1)) {
      List<DecoderSpec.Parameter> all = DecoderParameters.of(spec);
      for (int i = 0; i < all.size(); i++) {
        if (all.get(i).name().matches(".*(o_proj|down_proj).weight")) {
          weights.tensors().get(i).muli(0);
        }
      }
      float[] embedding = weights.tensors().get(0).toFloatArray();
      float[] head = new float[embedding.length];
      int last = embedding.length - spec.hidden();
      System.arraycopy(embedding, 0, head, spec.hidden(), last);
      System.arraycopy(embedding, last, head, 0, spec.hidden());
      weights.tensors().get(Head.parameters(spec).getFirst()).set(head);
      save(weights, folder, TensorFormat.F32);
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
