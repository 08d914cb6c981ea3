package roll.torch.model;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.types.DataType;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import roll.api.config.LoraConfig;
import roll.api.config.WorkerConfig.Dtype;
import roll.api.model.DecoderSpec;
import roll.api.model.DecoderSpec.Trait;
import roll.decoder.DecoderParameters;
import roll.huggingface.LoraTargets;
import roll.testkit.SmallDecoder;
import roll.torch.AdaptedParameters;
import roll.torch.Device;
import roll.torch.Devices;
import roll.torch.TensorMemory;

/** Weights that are read across devices, and what is made of them there. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class CopiedWeightsTest {
  private static final DecoderSpec SPEC =
      SmallDecoder.decoder(11, 16, 24, 2, 4, 2, EnumSet.complementOf(EnumSet.of(Trait.VALUE_HEAD)));

  @AutoClose private final Devices devices = Devices.on(Device.cpu(2));
  private final Device trainer = devices.of(List.of(0), 2);
  private final Device server = devices.of(List.of(1), 2);

  private static DecoderSpec adapted() {
    LoraConfig lora = new LoraConfig(3, 6, 0, List.of("all-linear"));
    return SPEC.with(LoraTargets.of(SPEC, "here", lora));
  }

  private Parameters random(DecoderSpec spec, long seed) {
    return trainer.call(() -> AdaptedParameters.random(trainer, spec, seed));
  }

  private void free(Parameters parameters) {
    trainer.call(
        () -> {
          parameters.close();
          return true;
        });
  }

  private static float[] read(WeightSource source, int index, long first, long count) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment target = arena.allocate(Float.BYTES * count, Float.BYTES);
      source.read(index, first, target);
      return target.toArray(ValueLayout.JAVA_FLOAT);
    }
  }

  /** Bytes of each tensor, as the engine has it. */
  private static List<byte[]> bytes(Parameters parameters) {
    List<byte[]> bytes = new ArrayList<>();
    for (NDArray tensor : parameters.tensors()) {
      bytes.add(TensorMemory.of(tensor).toArray(ValueLayout.JAVA_BYTE));
    }
    return bytes;
  }

  private static void assertSameBytes(Parameters expected, Parameters found) {
    List<byte[]> wanted = bytes(expected);
    List<byte[]> there = bytes(found);
    assertEquals(wanted.size(), there.size());
    for (int i = 0; i < wanted.size(); i++) {
      assertEquals(
          MemorySegment.ofArray(wanted.get(i)).byteSize(),
          MemorySegment.ofArray(there.get(i)).byteSize());
      assertEquals(
          -1, MemorySegment.ofArray(wanted.get(i)).mismatch(MemorySegment.ofArray(there.get(i))));
    }
  }

  @Test
  void partsOfParametersAreReadFromTheirMasters() {
    Parameters parameters = random(SPEC, 1);
    try {
      assertSame(trainer, parameters.device());
      float[] all = read(parameters, 3, 0, DecoderParameters.of(SPEC).get(3).size());
      trainer.call(
          () -> {
            parameters.train(List.of(3));
            parameters.narrow(trainer);
            return true;
          });
      float[] some = read(parameters, 3, 5, 4);
      for (int i = 0; i < 4; i++) {
        assertEquals(all[5 + i], some[i]);
      }
      float rounded = read(parameters, 0, 7, 1)[0];
      assertEquals(0, Float.floatToIntBits(rounded) & 0xFFFF);
    } finally {
      free(parameters);
    }
  }

  /** Five numbers at once: no matrix has a multiple of that. */
  @ParameterizedTest
  @EnumSource(Dtype.class)
  void aCopyIsWhatTheTrainerComputesWith(Dtype dtype) {
    DecoderSpec spec = adapted();
    Parameters first = random(spec, 1);
    Parameters second = random(spec, 2);
    second.version(9);
    trainer.call(
        () -> {
          for (Parameters parameters : List.of(first, second)) {
            if (dtype == Dtype.BF16) {
              parameters.narrow(trainer);
            }
          }
          return true;
        });
    server.call(
        () -> {
          try (CopiedWeights copies = new CopiedWeights(server, spec, dtype, 5)) {
            Parameters own = copies.parameters();
            copies.take(first);
            assertSameBytes(first, own);
            assertEquals(0, own.version());
            long address = own.memory(0).address();
            first.memory(0).set(ValueLayout.JAVA_FLOAT, 0, 77);
            assertTrue(read(own, 0, 0, 1)[0] != 77);
            copies.take(second);
            assertSameBytes(second, own);
            assertEquals(9, own.version());
            assertEquals(dtype, own.dtype());
            assertEquals(address, own.memory(0).address());
            assertEquals(List.of(), own.trained().names());
            assertSame(server, own.device());
          }
          return true;
        });
    free(first);
    free(second);
  }

  /** Without the host, from masters or from what the trainer computes with, the same bits. */
  @ParameterizedTest
  @CsvSource({"FP32, FP32", "FP32, BF16", "BF16, FP32", "BF16, BF16"})
  void aCopyOnTheSameDeviceIsTheSame(Dtype trained, Dtype read) {
    Parameters source = random(adapted(), 4);
    trainer.call(
        () -> {
          source.train(List.of(0, 5));
          if (trained == Dtype.BF16) {
            source.narrow(trainer);
          }
          try (CopiedWeights direct = new CopiedWeights(trainer, source.spec(), read);
              CopiedWeights byHost = new CopiedWeights(trainer, source.spec(), read, 5)) {
            direct.take(source);
            byHost.take(ofAnotherProcess(source));
            assertSameBytes(byHost.parameters(), direct.parameters());
          }
          return true;
        });
    free(source);
  }

  /** The same weights, as if they were of another process. */
  private static WeightSource ofAnotherProcess(Parameters weights) {
    return new WeightSource() {
      @Override
      public DecoderSpec spec() {
        return weights.spec();
      }

      @Override
      public long version() {
        return weights.version();
      }

      @Override
      public void read(int index, long first, MemorySegment target) {
        weights.read(index, first, target);
      }
    };
  }

  @Test
  void aValueHeadIsWideAlways() {
    DecoderSpec values = SmallDecoder.decoder(11, 16, 24, 1, 4, 2, EnumSet.of(Trait.VALUE_HEAD));
    Parameters source = random(values, 3);
    trainer.call(
        () -> {
          source.narrow(trainer);
          return true;
        });
    server.call(
        () -> {
          try (CopiedWeights copies = new CopiedWeights(server, values, Dtype.BF16)) {
            copies.take(source);
            assertSameBytes(source, copies.parameters());
            NDArray head = copies.parameters().tensors().getLast();
            assertEquals(DataType.FLOAT32, head.getDataType());
          }
          return true;
        });
    free(source);
  }
}
