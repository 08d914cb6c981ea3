package roll.torch.model;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static roll.testkit.UserErrors.userError;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import roll.api.config.WorkerConfig.Dtype;
import roll.api.model.DecoderSpec;
import roll.api.model.DecoderSpec.Experts;
import roll.huggingface.Safetensors;
import roll.huggingface.SafetensorsWriter;
import roll.huggingface.StoredTensor;
import roll.huggingface.TensorFormat;
import roll.testkit.SmallDecoder;
import roll.torch.Device;

/** Files that hold the experts of a layer in one tensor. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class StackedExpertsTest {
  private static final DecoderSpec SPEC =
      SmallDecoder.decoder(11, 16, 24, 2, 4, 2, Set.of()).of(new Experts(3, 2, true));

  @AutoClose private final Device device = Device.cpu(1);
  private final Path folder;

  StackedExpertsTest(@TempDir Path folder) {
    this.folder = folder;
  }

  /** The tensors of each parameter, those of experts in stacks. */
  private static List<StoredTensor> stacked(List<StoredTensor> tensors) {
    List<StoredTensor> all = new ArrayList<>();
    tensors.stream().filter(t -> !t.name().contains(".experts.")).forEach(all::add);
    for (int layer = 0; layer < 2; layer++) {
      String experts = "model.layers." + layer + ".mlp.experts.";
      Predicate<StoredTensor> down = t -> t.name().endsWith("down_proj.weight");
      List<StoredTensor> own = tensors.stream().filter(t -> t.name().startsWith(experts)).toList();
      // gate and up of an expert stand side by side in the specification
      all.add(
          stack(
              experts + "gate_up_proj",
              List.of(3L, 48L, 16L),
              own.stream().filter(down.negate()).toList()));
      all.add(
          stack(experts + "down_proj", List.of(3L, 16L, 24L), own.stream().filter(down).toList()));
    }
    return all;
  }

  private static StoredTensor stack(String name, List<Long> shape, List<StoredTensor> parts) {
    long bytes = parts.stream().mapToLong(part -> part.size() * Float.BYTES).sum();
    MemorySegment data = Arena.ofAuto().allocate(bytes);
    long at = 0;
    for (StoredTensor part : parts) {
      long size = part.size() * Float.BYTES;
      part.readFloats(0, data.asSlice(at, size));
      at += size;
    }
    return new StoredTensor(name, TensorFormat.F32, shape, data);
  }

  @ParameterizedTest
  @EnumSource(
      value = TensorFormat.class,
      names = {"F32", "F16", "BF16"})
  void areReadExactly(TensorFormat format) throws IOException {
    List<StoredTensor> tensors = StoredModels.model(SPEC);
    SafetensorsWriter.writeModel(folder, stacked(tensors), format, 1 << 20);
    device.call(
        () -> {
          for (boolean copied : new boolean[] {true, false}) {
            Parameters parameters;
            try (Safetensors files = Safetensors.open(folder)) {
              parameters =
                  copied
                      ? Parameters.read(device, SPEC, files, 0)
                      : Parameters.map(device, SPEC, files, 0, Dtype.FP32);
            }
            try (parameters) {
              for (int i = 0; i < tensors.size(); i++) {
                assertArrayEquals(
                    StoredModels.floats(tensors.get(i)),
                    parameters.tensors().get(i).toFloatArray(),
                    tensors.get(i).name());
              }
            }
          }
          return true;
        });
  }

  @Test
  void mustHaveTheShapeOfTheModel() throws IOException {
    SafetensorsWriter.writeModel(
        folder, stacked(StoredModels.model(SPEC)), TensorFormat.F32, 1 << 20);
    DecoderSpec more = SPEC.of(new Experts(4, 2, true));
    assertEquals(
        folder.resolve(Safetensors.SINGLE)
            + ": tensor 'model.layers.0.mlp.gate.weight' has shape [3, 16], the model needs"
            + " [4, 16]",
        refusal(more));
    DecoderSpec none = SmallDecoder.decoder(11, 16, 24, 2, 4, 2, Set.of());
    assertEquals(
        folder.resolve(Safetensors.SINGLE)
            + ": tensor 'model.layers.0.mlp.experts.down_proj' does not belong to the model that"
            + " config.json describes",
        refusal(none));
  }

  private String refusal(DecoderSpec spec) {
    try (Safetensors files = Safetensors.open(folder)) {
      return userError(() -> WeightReader.find(spec, files));
    }
  }
}
