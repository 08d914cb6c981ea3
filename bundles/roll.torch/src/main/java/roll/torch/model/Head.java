package roll.torch.model;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDList;
import ai.djl.ndarray.NDManager;
import java.util.List;
import java.util.stream.IntStream;
import org.osgi.annotation.versioning.ProviderType;
import roll.api.model.DecoderSpec;
import roll.api.model.DecoderSpec.Trait;
import roll.decoder.DecoderParameters;
import roll.torch.Kernels;

/**
 * The last part of a model: what it says of each row of hidden states, in one or more columns of
 * numbers, and the gradient of that, written out by hand. Used on the compute thread alone.
 */
@ProviderType
public interface Head {
  /** The head that the model {@code decoder} has. */
  static Head of(Decoder decoder) {
    return of(decoder.spec(), decoder.kernels());
  }

  /** The head of {@code spec}, with functions among {@code kernels}. */
  static Head of(DecoderSpec spec, Kernels kernels) {
    return spec.has(Trait.VALUE_HEAD)
        ? new ValueHead(kernels)
        : new TokenHead(kernels, spec.vocabulary());
  }

  /** Which parameters of {@code spec} are those of its head. */
  static List<Integer> parameters(DecoderSpec spec) {
    int count = DecoderParameters.of(spec).size() - DecoderParameters.tower(spec).size();
    return spec.has(Trait.TIED_HEAD)
        ? List.of(0)
        : IntStream.range(count - DecoderParameters.head(spec).size(), count).boxed().toList();
  }

  /**
   * What the head says of {@code rows} [N, hidden].
   *
   * @param owner owns the result
   * @param weights the head's, in the order of {@link #parameters}
   * @param targets int64 [N], the token that follows each row
   * @param backward whether {@link #backward} will follow
   */
  Output forward(NDManager owner, NDList weights, NDArray rows, NDArray targets, boolean backward);

  /**
   * The gradient by the rows of {@code output}; those of the head's weights are added to {@code
   * gradients}.
   *
   * @param owner owns the result
   * @param gradients for each weight its gradient, or nothing where it is not trained
   * @param byColumns derivatives of the loss by the numbers of each column, f32 [N] each
   */
  NDArray backward(
      NDManager owner, NDList weights, List<NDList> gradients, Output output, NDList byColumns);

  /**
   * What {@link #forward} found, and what {@link #backward} needs of it.
   *
   * @param rows the rows
   * @param targets the tokens
   * @param columns f32 [N] each
   * @param kept what was kept to be used again
   */
  record Output(NDArray rows, NDArray targets, NDList columns, NDList kept) {}
}
