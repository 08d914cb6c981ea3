package roll.torch.model;

import ai.djl.ndarray.NDList;
import java.util.List;
import java.util.stream.IntStream;
import roll.api.model.DecoderSpec;
import roll.api.option.UserException;
import roll.decoder.DecoderParameters;
import roll.text.Suggestion;

/**
 * The weights that are trained. Gradients, moments and checkpoints have one entry for each, in this
 * order.
 *
 * @param names by which checkpoints know them
 * @param tensors what is computed with, f32 or bf16; owned by the {@link Parameters} they belong to
 * @param masters what an optimizer changes, f32; the same tensors where those are f32
 */
public record TrainedParameters(List<String> names, NDList tensors, NDList masters) {
  /** As many names as tensors and masters. */
  public TrainedParameters {
    names = List.copyOf(names);
    if (names.size() != tensors.size() || names.size() != masters.size()) {
      throw new IllegalArgumentException(
          "%d names, %d tensors, %d masters"
              .formatted(names.size(), tensors.size(), masters.size()));
    }
  }

  /** The parameters {@code indexes} of a model's {@code tensors} and {@code masters}. */
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

  /** What is trained where nothing else is said: everything, or the adapters if there are any. */
  static List<Integer> standard(DecoderSpec spec) {
    List<DecoderSpec.Parameter> all = DecoderParameters.of(spec);
    return IntStream.range(0, all.size())
        .filter(i -> spec.adapter() == null || (all.get(i).adapts() && all.get(i).size() > 0))
        .boxed()
        .toList();
  }

  /**
   * Which parameters of {@code spec} are trained: of the {@link #standard} ones those whose names
   * begin with none of {@code frozen}. Indexes, ascending.
   *
   * @param where key of the configuration that says what is frozen
   * @throws UserException if one of {@code frozen} begins no name, or nothing is left to train
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

  /** Every beginning of a name that ends before a dot: what a user may mean by a prefix. */
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
