package roll.torch.model;

import ai.djl.ndarray.NDList;
import java.util.List;
import java.util.stream.IntStream;
import roll.api.model.DecoderSpec;
import roll.api.option.UserException;
import roll.decoder.DecoderParameters;
import roll.text.Suggestion;

/**
 * The trained parameters of a model. Gradients, moments and checkpoints have one entry for each, in
 * this order.
 *
 * @param names names in checkpoints
 * @param tensors f32 or bf16, used by the forward pass; owned by their {@link Parameters}
 * @param masters f32, updated by the optimizer; the same tensors if those are f32
 */
public record TrainedParameters(List<String> names, NDList tensors, NDList masters) {
  /** Checks that there are as many names as tensors and masters. */
  public TrainedParameters {
    names = List.copyOf(names);
    if (names.size() != tensors.size() || names.size() != masters.size()) {
      throw new IllegalArgumentException(
          "%d names, %d tensors, %d masters"
              .formatted(names.size(), tensors.size(), masters.size()));
    }
  }

  /** Returns the parameters {@code indexes} of a model's {@code tensors} and {@code masters}. */
  static TrainedParameters of(
      DecoderSpec spec, NDList tensors, NDList masters, List<Integer> indexes) {
    List<DecoderSpec.Parameter> all = DecoderParameters.of(spec);
    List<String> names = indexes.stream().map(i -> all.get(i).name()).toList();
    return new TrainedParameters(names, some(tensors, indexes), some(masters, indexes));
  }

  private static NDList some(NDList all, List<Integer> indexes) {
    NDList some = new NDList(indexes.size());
    indexes.forEach(i -> some.add(all.get(i)));
    return some;
  }

  /** Returns the parameters {@code indexes} of these. */
  public TrainedParameters some(List<Integer> indexes) {
    List<String> chosen = indexes.stream().map(names::get).toList();
    return new TrainedParameters(chosen, some(tensors, indexes), some(masters, indexes));
  }

  /** Returns the indices trained by default: the adapters, or all parameters without adapters. */
  static List<Integer> standard(DecoderSpec spec) {
    List<DecoderSpec.Parameter> all = DecoderParameters.of(spec);
    return IntStream.range(0, all.size())
        .filter(i -> spec.adapter() == null || (all.get(i).adapts() && all.get(i).size() > 0))
        .boxed()
        .toList();
  }

  /**
   * Returns the ascending indices of the trained parameters of {@code spec}: the {@link #standard}
   * ones, except those whose names begin with one of {@code frozen}.
   *
   * @param where configuration key of {@code frozen}, for messages
   * @throws UserException if one of {@code frozen} matches no name, or nothing is left to train
   */
  public static List<Integer> allBut(DecoderSpec spec, String where, List<String> frozen) {
    List<String> names =
        DecoderParameters.of(spec).stream().map(DecoderSpec.Parameter::name).toList();
    for (String prefix : frozen) {
      if (names.stream().noneMatch(name -> name.startsWith(prefix))) {
        throw new UserException(
            "%s: no parameter of the model begins with '%s'%s"
                .formatted(where, prefix, Suggestion.near(prefix, modules(names))));
      }
    }
    List<Integer> trained =
        standard(spec).stream()
            .filter(i -> frozen.stream().noneMatch(names.get(i)::startsWith))
            .toList();
    if (trained.isEmpty()) {
      throw new UserException(where + ": freezes the whole model, nothing is left to train");
    }
    return trained;
  }

  /** Returns all prefixes of names that end before a dot, as suggestions. */
  private static List<String> modules(List<String> names) {
    return names.stream()
        .flatMap(
            name ->
                IntStream.range(0, name.length())
                    .filter(i -> name.charAt(i) == '.')
                    .mapToObj(i -> name.substring(0, i)))
        .distinct()
        .toList();
  }
}
