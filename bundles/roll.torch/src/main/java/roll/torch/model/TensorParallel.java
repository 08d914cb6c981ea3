package roll.torch.model;

import roll.api.config.WorkerConfig;
import roll.api.model.DecoderSpec;
import roll.api.option.Option;
import roll.api.option.Options;
import roll.api.option.UserException;
import roll.huggingface.ModelFolder;

/**
 * {@code tensor_parallel_size} of an inference session. The weights exist once, and libtorch splits
 * each product over the cores of all devices of the role, so that nothing is divided; but the
 * configuration must be divisible.
 */
public final class TensorParallel {
  /** The option of the number of devices that a model is divided over. */
  public static final Option<Integer> SIZE =
      Option.integer(
              "tensor_parallel_size",
              1,
              4096,
              "divides the devices of the role; they compute as one in any case")
          .withDefault(1);

  private final Options options;
  private final int size;

  private TensorParallel(Options options, int size) {
    this.options = options;
    this.size = size;
  }

  /**
   * Reads the option {@link #SIZE} of {@code options}.
   *
   * @throws UserException if it does not divide the devices of {@code worker}
   */
  public static TensorParallel of(Options options, WorkerConfig worker) {
    int size = options.get(SIZE);
    int devices = worker.devices().size();
    if (size > 1 && devices == 0) {
      throw options.wrong(SIZE, "1 where " + worker.role() + " has no device_mapping");
    }
    if (devices % size != 0) {
      throw options.wrong(SIZE, "a divisor of the %d devices of device_mapping".formatted(devices));
    }
    return new TensorParallel(options, size);
  }

  /** Returns the number of devices that a model is divided over. */
  public int size() {
    return size;
  }

  /**
   * Checks that the model of {@code folder} is divisible.
   *
   * @throws UserException if heads or vocabulary cannot
   */
  public void check(ModelFolder folder) {
    DecoderSpec spec = folder.spec();
    divides("num_attention_heads", spec.attention().heads(), folder);
    divides("num_key_value_heads", spec.attention().keyValueHeads(), folder);
    divides("vocab_size", spec.vocabulary(), folder);
  }

  private void divides(String name, int number, ModelFolder folder) {
    if (number % size != 0) {
      throw options.wrong(SIZE, "a divisor of %s %d of %s".formatted(name, number, folder.path()));
    }
  }
}
