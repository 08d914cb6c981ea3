package roll.torch;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import roll.api.config.WorkerConfig.Dtype;
import roll.api.model.DecoderSpec;
import roll.batching.Cutting;
import roll.testkit.SmallDecoder;
import roll.torch.foreign.CopyLibrary;
import roll.torch.model.Parameters;
import roll.torch.training.AdamW;
import roll.torch.training.GradientAccumulator;
import roll.torch.training.LocalTrainState;
import roll.torch.training.Optimizer;
import roll.torch.training.TrainState;
import roll.torch.training.TrainState.Kind;

/** The state of training is copied while the next forward and backward passes run. */
@Tag("processes")
final class StateReadsTest {
  private static final DecoderSpec SPEC =
      SmallDecoder.decoder(11, 16, 24, 2, 4, 2, EnumSet.noneOf(DecoderSpec.Trait.class));
  private static final AdamW.Settings SETTINGS = new AdamW.Settings(0.9, 0.999, 1e-8, 0.01, 1);

  @Test
  void passesOverlapWithTheCopy(@TempDir Path folder) throws Exception {
    CopyLibrary library = new CopyLibrary(folder);
    HostTransfer transfer = new HostTransfer(false, 64, CopyLibrary.CARD, library.reads(1000));
    try (Device device = Device.cpuByCopies(1, transfer);
        Arena arena = Arena.ofShared()) {
      device.call(
          () -> {
            try (Parameters parameters = Parameters.random(device, SPEC, 5);
                GradientAccumulator sum =
                    new GradientAccumulator(
                        device, parameters, Precision.of(Dtype.FP32), 8, false, 1);
                Optimizer optimizer = new Optimizer(device, parameters.trained(), SETTINGS)) {
              LocalTrainState state = new LocalTrainState(parameters, optimizer);
              pass(sum);
              optimizer.step(sum.gradients().tensors(), 1e-2);
              List<TrainState.Part> expected = parts(state, arena);
              expected.forEach(part -> state.read(part.kind(), part.parameter(), 0, part.target()));
              List<TrainState.Part> found = parts(state, arena);
              library.hold();
              CompletableFuture<Void> copied = state.readAll(found);
              pass(sum);
              assertFalse(copied.isDone());
              library.release();
              copied.join();
              optimizer.step(sum.gradients().tensors(), 1e-2);
              for (int i = 0; i < found.size(); i++) {
                assertArrayEquals(
                    expected.get(i).target().toArray(ValueLayout.JAVA_FLOAT),
                    found.get(i).target().toArray(ValueLayout.JAVA_FLOAT));
              }
              assertTrue(library.copies() > found.size());
              assertEquals(0, library.left());
            }
            return true;
          });
    }
  }

  private static void pass(GradientAccumulator sum) {
    var unused =
        sum.run(SmallDecoder.batch(), new Cutting.Samples(1), (samples, columns) -> columns, 1);
  }

  private static List<TrainState.Part> parts(LocalTrainState state, Arena arena) {
    return Stream.of(Kind.values())
        .flatMap(
            kind ->
                IntStream.range(0, state.trained().size())
                    .filter(i -> state.has(kind, i))
                    .mapToObj(i -> new TrainState.Part(kind, i, memory(state, arena, i))))
        .toList();
  }

  private static MemorySegment memory(LocalTrainState state, Arena arena, int parameter) {
    return arena.allocate(ValueLayout.JAVA_FLOAT, state.trained().get(parameter).size());
  }
}
