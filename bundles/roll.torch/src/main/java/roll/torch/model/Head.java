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
 * The head of a model: maps each row of hidden states to one or more numbers, one column for each,
 * with a hand-written gradient. Used only on the compute thread.
 */
@ProviderType
public interface Head {
  /** Returns the output head of {@code decoder}. */
  static Head of(Decoder decoder) {
    return of(decoder.spec(), decoder.kernels());
  }

  /** Returns the head of {@code spec}, with functions in {@code kernels}. */
  static Head of(DecoderSpec spec, Kernels kernels) {
    return spec.has(Trait.VALUE_HEAD)
        ? new ValueHead(kernels)
        : new TokenHead(kernels, spec.vocabulary());
  }

  /** Returns the indices of the head's parameters in {@code spec}. */
  static List<Integer> parameters(DecoderSpec spec) {
    int count = DecoderParameters.of(spec).size() - DecoderParameters.tower(spec).size();
    return spec.has(Trait.TIED_HEAD)
        ? List.of(0)
        : IntStream.range(count - DecoderParameters.head(spec).size(), count).boxed().toList();
  }

  /**
   * Computes the columns for {@code rows} [N, hidden].
   *
   * @param owner owns the result
   * @param weights of the head, in the order of {@link #parameters}
   * @param targets int64 [N], the token that follows each row
   * @param backward whether {@link #backward} will follow
   */
  Output forward(NDManager owner, NDList weights, NDArray rows, NDArray targets, boolean backward);

  /**
   * Returns this head with the divergence from {@code teacher} as a further column, the last.
   *
   * @throws UnsupportedOperationException if the head has no distribution
   */
  default Head distilled(TeacherRows teacher) {
    throw new UnsupportedOperationException("a value model has no teacher");
  }

  /**
   * Returns the gradient with respect to the rows of {@code output}; adds those of the head's
   * weights to {@code gradients}.
   *
   * @param owner owns the result
   * @param gradients for each weight its gradient, or an empty list if it is not trained
   * @param byColumns derivatives of the loss with respect to each column, f32 [N] each
   */
  NDArray backward(
      NDManager owner, NDList weights, List<NDList> gradients, Output output, NDList byColumns);

  /**
   * The result of {@link #forward}, with everything that {@link #backward} needs.
   *
   * @param rows the rows
   * @param targets the tokens
   * @param columns f32 [N] each
   * @param kept intermediate tensors for {@link #backward}
   */
  record Output(NDArray rows, NDArray targets, NDList columns, NDList kept) {}
}
