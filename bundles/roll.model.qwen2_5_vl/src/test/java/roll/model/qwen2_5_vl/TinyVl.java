package roll.model.qwen2_5_vl;

import java.awt.image.BufferedImage;
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
import java.util.function.UnaryOperator;
import java.util.random.RandomGenerator;
import roll.api.data.RandomStreams;
import roll.api.image.ImagePatches;
import roll.api.image.Picture;
import roll.api.model.DecoderSpec.Parameter;
import roll.decoder.DecoderParameters;
import roll.huggingface.HuggingFaceTokenizers;
import roll.huggingface.SafetensorsWriter;
import roll.huggingface.StoredTensor;
import roll.huggingface.TensorFormat;
import roll.image.FolderImageProcessors;
import roll.model.qwen2.Qwen2Family;
import roll.torch.Device;
import roll.torch.Devices;
import roll.torch.model.Models;

/** A folder with a small Qwen2.5-VL, in which every weight, bias and norm is random. */
final class TinyVl implements AutoCloseable {
  static final int IMAGE = 150;
  static final int VOCABULARY = 160;
  static final int HIDDEN = 32;
  static final int LAYERS = 2;
  static final int HEADS = 4;
  static final int KEY_HEADS = 2;
  static final int TOWER_LAYERS = 3;
  static final int TOWER_HIDDEN = 32;
  static final int TOWER_HEADS = 2;
  static final int FULL = 1;

  /** Returns the decoder's fields, like those of a text model. */
  static final String TEXT =
      """
      "vocab_size": 160, "hidden_size": 32, "intermediate_size": 48, "num_hidden_layers": 2,
      "num_attention_heads": 4, "num_key_value_heads": 2, "max_position_embeddings": 128,
      "rms_norm_eps": 1e-06, "rope_theta": 1000.0, "tie_word_embeddings": false
      """;

  /** Returns the published format, with windows of two by two squares. */
  static final String CONFIG =
      """
      {"model_type": "qwen2_5_vl", %s, "image_token_id": 150, "video_token_id": 151,
       "rope_scaling": {"type": "mrope", "mrope_section": [1, 1, 2]},
       "vision_config": {"depth": 3, "hidden_act": "silu", "hidden_size": 32, "num_heads": 2,
         "intermediate_size": 40, "in_chans": 3, "out_hidden_size": 32, "patch_size": 14,
         "spatial_merge_size": 2, "window_size": 56, "fullatt_block_indexes": [1],
         "temporal_patch_size": 2}}
      """
          .formatted(TEXT);

  private static final String PROCESSOR =
      """
      {"image_processor_type": "Qwen2VLImageProcessor", "min_pixels": 784, "max_pixels": 20000,
       "patch_size": 14, "temporal_patch_size": 2, "merge_size": 2}
      """;

  /** One thread, as tensors are too small for two. Shared, since it compiles kernels once. */
  private static final Devices DEVICES = Devices.on(Device.cpu(1));

  final Device device = DEVICES.whole();
  final Path folder;
  final Models models;
  final Map<String, float[]> weights = new LinkedHashMap<>();
  private final Map<String, Parameter> parameters = new LinkedHashMap<>();

  /** Writes the folder. */
  TinyVl(Path folder) throws IOException {
    this.folder = folder;
    files(folder, CONFIG);
    Files.writeString(folder.resolve("preprocessor_config.json"), PROCESSOR);
    models = new Models(DEVICES, new HuggingFaceTokenizers(DEVICES));
    models.setImageProcessors(new FolderImageProcessors());
    models.add(new Qwen25VlFamily(), Map.of("roll.model", new String[] {"qwen2_5_vl"}));
    models.add(new Qwen2Family(), Map.of("roll.model", new String[] {"qwen2"}));
    DecoderParameters.of(models.folder(folder).spec()).forEach(this::fill);
    write(folder, "", name -> name);
  }

  /** config.json and a tokenizer. */
  static void files(Path folder, String config) throws IOException {
    Files.createDirectories(folder);
    Files.writeString(folder.resolve("config.json"), config);
    Path shipped = Path.of(System.getProperty("roll.root"), "configs/models/frozen-lake-tiny");
    for (String file : List.of("tokenizer.json", "tokenizer_config.json")) {
      Files.copy(shipped.resolve(file), folder.resolve(file));
    }
  }

  private void fill(Parameter parameter) {
    RandomGenerator random = RandomStreams.of(3, parameter.name());
    float[] values = new float[(int) parameter.size()];
    boolean matrix = parameter.shape().size() > 1;
    double width =
        matrix ? 1 / Math.sqrt(parameter.size() / (double) parameter.shape().getFirst()) : 0.3;
    double middle = parameter.name().contains("norm") || parameter.name().contains("ln_q") ? 1 : 0;
    for (int i = 0; i < values.length; i++) {
      values[i] = (float) (middle + width * random.nextGaussian());
    }
    weights.put(parameter.name(), values);
    parameters.put(parameter.name(), parameter);
  }

  /**
   * Writes the weights under other names, without those that begin with {@code left}, if it is any.
   */
  void write(Path target, String left, UnaryOperator<String> name) throws IOException {
    List<StoredTensor> tensors = new ArrayList<>();
    parameters.forEach(
        (own, parameter) -> {
          if (left.isEmpty() || !own.startsWith(left)) {
            float[] values = weights.get(own);
            ByteBuffer bytes =
                ByteBuffer.allocateDirect(4 * values.length).order(ByteOrder.LITTLE_ENDIAN);
            bytes.asFloatBuffer().put(values);
            tensors.add(
                new StoredTensor(
                    name.apply(own),
                    TensorFormat.F32,
                    parameter.shape().stream().map(Integer::longValue).toList(),
                    MemorySegment.ofBuffer(bytes)));
          }
        });
    SafetensorsWriter.writeModel(target, tensors, TensorFormat.F32, SafetensorsWriter.SHARD_BYTES);
  }

  /** A picture of random pixels. */
  static Picture picture(int width, int height) {
    RandomGenerator random = RandomStreams.of(width, "picture " + height);
    BufferedImage image = new BufferedImage(width, height, BufferedImage.TYPE_INT_RGB);
    for (int y = 0; y < height; y++) {
      for (int x = 0; x < width; x++) {
        image.setRGB(x, y, random.nextInt(1 << 24));
      }
    }
    return Picture.png(image);
  }

  /** Returns the patches of {@code picture}. */
  ImagePatches patches(Picture picture) {
    return new FolderImageProcessors().load(folder).process("test", picture.data());
  }

  /** Waits for what was begun; the shared device stays open. */
  @Override
  public void close() {
    device.call(() -> true);
  }
}
