package roll.strategy.hf_infer;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import roll.api.data.RandomStreams;
import roll.api.model.DecoderSpec.Parameter;
import roll.decoder.DecoderParameters;
import roll.huggingface.HuggingFaceTokenizers;
import roll.huggingface.SafetensorsWriter;
import roll.huggingface.StoredTensor;
import roll.huggingface.TensorFormat;
import roll.model.gemma.GemmaFamily;
import roll.model.llama.LlamaFamily;
import roll.model.mistral.MistralFamily;
import roll.model.qwen2.Qwen2Family;
import roll.model.qwen3.Qwen3Family;
import roll.model.qwen3_moe.Qwen3MoeFamily;
import roll.model.seed_oss.SeedOssFamily;
import roll.torch.Device;
import roll.torch.Devices;
import roll.torch.model.Models;

/**
 * A folder with a small model of any family: every weight, bias and norm is random, and no number
 * has more digits than bf16 and f16 can both hold.
 */
final class RandomModel implements AutoCloseable {
  static final int VOCABULARY = 160;

  final Devices devices = Stories.DEVICES;
  final Device device = devices.whole();
  final Path folder;
  final JsonObject config;
  final HuggingFaceTokenizers tokenizers;
  final Models models;
  final Map<String, float[]> weights = new LinkedHashMap<>();
  private final List<StoredTensor> tensors = new ArrayList<>();

  /** Writes the folder. {@code fields} are those of config.json beside what all share. */
  RandomModel(Path folder, String fields) throws IOException {
    this.folder = folder;
    this.config = JsonParser.parseString(fields).getAsJsonObject();
    Map<String, Number> common =
        Map.of(
            "vocab_size", VOCABULARY,
            "num_hidden_layers", 3,
            "intermediate_size", 40,
            "max_position_embeddings", 128,
            "rms_norm_eps", 1e-5);
    common.forEach(config::addProperty);
    Files.writeString(folder.resolve("config.json"), config.toString());
    Path shipped = Path.of(System.getProperty("roll.root"), "configs/models/frozen-lake-tiny");
    for (String file : List.of("tokenizer.json", "tokenizer_config.json")) {
      Files.copy(shipped.resolve(file), folder.resolve(file));
    }
    tokenizers = new HuggingFaceTokenizers(devices);
    models = new Models(devices, tokenizers);
    models.add(new GemmaFamily(), Map.of("roll.model", new String[] {"gemma"}));
    models.add(new LlamaFamily(), Map.of("roll.model", new String[] {"llama"}));
    models.add(new MistralFamily(), Map.of("roll.model", new String[] {"mistral"}));
    models.add(new Qwen2Family(), Map.of("roll.model", new String[] {"qwen2"}));
    models.add(new Qwen3Family(), Map.of("roll.model", new String[] {"qwen3"}));
    models.add(new Qwen3MoeFamily(), Map.of("roll.model", new String[] {"qwen3_moe"}));
    models.add(new SeedOssFamily(), Map.of("roll.model", new String[] {"seed_oss"}));
    DecoderParameters.of(models.folder(folder).spec()).forEach(this::fill);
    write(folder, TensorFormat.F32, SafetensorsWriter.SHARD_BYTES);
  }

  private void fill(Parameter parameter) {
    RandomGenerator random = RandomStreams.of(3, parameter.name());
    float[] values = new float[(int) parameter.size()];
    ByteBuffer bytes = ByteBuffer.allocateDirect(4 * values.length).order(ByteOrder.LITTLE_ENDIAN);
    double width = parameter.shape().size() > 1 ? 1 / Math.sqrt(parameter.shape().get(1)) : 0.3;
    double middle = parameter.name().contains("norm") ? 1 : 0;
    for (int i = 0; i < values.length; i++) {
      int bits = Float.floatToIntBits((float) (middle + width * random.nextGaussian()));
      float value = Float.intBitsToFloat(bits & 0xFFFF0000);
      values[i] = Math.abs(value) < 1e-4 ? 0 : value;
      bytes.putFloat(values[i]);
    }
    weights.put(parameter.name(), values);
    List<Long> shape = parameter.shape().stream().map(Integer::longValue).toList();
    tensors.add(
        new StoredTensor(
            parameter.name(), TensorFormat.F32, shape, MemorySegment.ofBuffer(bytes.flip())));
  }

  /** Writes the weights again. */
  void write(Path target, TensorFormat format, long shardBytes) throws IOException {
    SafetensorsWriter.writeModel(target, tensors, format, shardBytes);
  }

  ReferenceDecoder reference() {
    return new ReferenceDecoder(config, weights);
  }

  /** Waits for what was begun; the shared device stays open. */
  @Override
  public void close() {
    device.call(() -> true);
  }
}
