package roll.itests;

import com.google.gson.Gson;
import com.google.gson.JsonObject;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import roll.api.data.RandomStreams;
import roll.api.model.DecoderSpec;
import roll.api.model.DecoderSpec.Parameter;
import roll.api.model.family.ModelFamily;
import roll.decoder.DecoderParameters;

/** Writes folders of small models of any family with random parameters. */
final class RandomModelFolder {
  static final int VOCABULARY = 160;

  private RandomModelFolder() {}

  /**
   * Writes a model into {@code folder}; {@code fields} are added to the common fields of
   * config.json.
   */
  static void write(Path folder, String family, Map<String, Object> fields) throws Exception {
    Map<String, @Nullable Object> config = new HashMap<>(fields);
    config.put("model_type", family);
    config.put("vocab_size", VOCABULARY);
    config.put("num_hidden_layers", 3);
    config.put("intermediate_size", 40);
    config.put("max_position_embeddings", 128);
    config.put("rms_norm_eps", 1e-5);
    Files.writeString(folder.resolve("config.json"), new Gson().toJson(config));
    Path shipped = SmallRuns.config("models/frozen-lake-tiny");
    for (String file : List.of("tokenizer.json", "tokenizer_config.json")) {
      Files.copy(shipped.resolve(file), folder.resolve(file));
    }
    DecoderSpec spec =
        SmallRuns.service(ModelFamily.class, "(roll.model=" + family + ")")
            .describe("config.json", config);
    writeWeights(folder.resolve("model.safetensors"), DecoderParameters.of(spec));
  }

  /** Writes a safetensors file: the header's length, the header in JSON, and the numbers. */
  private static void writeWeights(Path file, List<Parameter> parameters) throws IOException {
    JsonObject table = new JsonObject();
    long end = 0;
    for (Parameter parameter : parameters) {
      JsonObject entry = new JsonObject();
      entry.addProperty("dtype", "F32");
      entry.add("shape", new Gson().toJsonTree(parameter.shape()));
      entry.add("data_offsets", new Gson().toJsonTree(List.of(end, end + 4 * parameter.size())));
      table.add(parameter.name(), entry);
      end += 4 * parameter.size();
    }
    byte[] header = table.toString().getBytes(StandardCharsets.UTF_8);
    try (FileChannel out =
        FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
      out.write(bytes(Long.BYTES).putLong(header.length).flip());
      out.write(ByteBuffer.wrap(header));
      for (Parameter parameter : parameters) {
        out.write(numbers(parameter));
      }
    }
  }

  /** Replaces the first number of {@code tensor} in {@code folder}. */
  static void spoil(Path folder, String tensor, float number) throws IOException {
    Path file = folder.resolve("model.safetensors");
    try (FileChannel out =
        FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
      ByteBuffer length = bytes(Long.BYTES);
      out.read(length, 0);
      ByteBuffer table = ByteBuffer.allocate((int) length.getLong(0));
      out.read(table, Long.BYTES);
      JsonObject entry =
          new Gson()
              .fromJson(new String(table.array(), StandardCharsets.UTF_8), JsonObject.class)
              .getAsJsonObject(tensor);
      long begin = entry.getAsJsonArray("data_offsets").get(0).getAsLong();
      ByteBuffer changed = bytes(Float.BYTES).putFloat(number).flip();
      out.write(changed, Long.BYTES + table.capacity() + begin);
    }
  }

  private static ByteBuffer numbers(Parameter parameter) {
    RandomGenerator random = RandomStreams.of(3, parameter.name());
    double width = parameter.shape().size() > 1 ? 1 / Math.sqrt(parameter.shape().get(1)) : 0.3;
    double middle = parameter.name().contains("norm") ? 1 : 0;
    ByteBuffer bytes = bytes((int) (Float.BYTES * parameter.size()));
    while (bytes.hasRemaining()) {
      bytes.putFloat((float) (middle + width * random.nextGaussian()));
    }
    return bytes.flip();
  }

  private static ByteBuffer bytes(int size) {
    return ByteBuffer.allocate(size).order(ByteOrder.LITTLE_ENDIAN);
  }
}
