package roll.torch;

import ai.djl.pytorch.jni.JniUtils;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import roll.torch.foreign.CudaGraphs;

/**
 * The operators and the step recorder of a device with the kernel texts of cards: those of CUDA,
 * sought at first use, or written ones on a CPU. Used only on the compute thread.
 */
final class CardFeatures {
  private static final Logger LOG = LoggerFactory.getLogger(Device.class);

  private final @Nullable CardOperators written;
  private final @Nullable StepRecorder writtenRecorder;
  private @Nullable CardOperators operators;
  private @Nullable CudaGraphRecorder recorder;
  private boolean recorderSought;

  private CardFeatures(@Nullable CardOperators written, @Nullable StepRecorder writtenRecorder) {
    this.written = written;
    this.writtenRecorder = writtenRecorder;
  }

  /** Returns the features of a card; a CPU has none. */
  static CardFeatures real() {
    return new CardFeatures(null, null);
  }

  /**
   * Returns features for a CPU.
   *
   * @param operators sources in operators of the CPU
   * @param recorder in place of CUDA graphs; null for none
   */
  static CardFeatures written(CardOperators operators, @Nullable StepRecorder recorder) {
    return new CardFeatures(operators, recorder);
  }

  /** Returns the same for another device. */
  CardFeatures another() {
    return new CardFeatures(written, writtenRecorder);
  }

  /** Returns whether the features are written ones. */
  boolean isWritten() {
    return written != null;
  }

  /** Returns the operators of {@code device}; null if it has none. */
  @Nullable CardOperators operators(Device device) {
    if (written != null) {
      return written;
    }
    if (device.accelerated() && operators == null) {
      operators = CardOperators.of(device);
    }
    return operators;
  }

  /** Returns what records steps of {@code device}; null if nothing can. */
  @Nullable StepRecorder recorder(Device device) {
    if (!device.accelerated()) {
      return writtenRecorder;
    }
    if (!recorderSought) {
      recorderSought = true;
      CudaGraphs graphs = CudaGraphs.loaded();
      Optional<String> missing = graphs.missing();
      if (missing.isPresent()) {
        LOG.warn(
            "{}: no CUDA graphs, because this PyTorch lacks {}: decoding starts each operation by"
                + " itself and may take several times as long",
            device.name(),
            missing.get());
      } else {
        recorder = new CudaGraphRecorder(graphs, device.number(), JniUtils::emptyCudaCache);
      }
    }
    return recorder;
  }
}
