package roll.torch.training;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDList;
import ai.djl.ndarray.NDManager;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import roll.api.config.OptimizerName;
import roll.api.config.TrainingConfig;
import roll.torch.Device;
import roll.torch.model.Parameters;
import roll.torch.model.TrainedParameters;
import roll.torch.training.TrainState.Kind;

/**
 * An optimizer with clipping by the global gradient norm. Each parameter has its {@link
 * UpdateRule}. For bf16 weights it updates the f32 masters and rounds them.
 *
 * <p>Owns what the rules keep. Only on the device's compute thread.
 */
public final class Optimizer implements AutoCloseable {
  private final OptimizerName name;
  private final AdamWKernel kernel;
  private final NDManager owner;
  private final TrainedParameters trained;
  private final List<Share> shares = new ArrayList<>();
  private final List<Place> places;
  private long steps;

  /**
   * The parameters of one rule.
   *
   * @param members their indices
   */
  private record Share(List<Integer> members, Updates updates) {}

  /**
   * Place of a parameter.
   *
   * @param at its index among the parameters of its rule
   */
  private record Place(Updates updates, int at) {}

  /**
   * Creates AdamW at step 0.
   *
   * @param trained parameters that each step updates in place
   */
  public Optimizer(Device device, TrainedParameters trained, AdamW.Settings settings) {
    this(
        device,
        OptimizerName.ADAMW,
        trained,
        Collections.nCopies(trained.names().size(), UpdateRule.ADAMW),
        settings);
  }

  /** Creates the optimizer of a role for {@code parameters}, at step 0. */
  public static Optimizer of(
      Device device, Parameters parameters, TrainingConfig training, double maxGradNorm) {
    OptimizerName name = training.optimizer();
    List<UpdateRule> rules =
        LocalTrainState.trained(parameters).stream()
            .map(parameter -> UpdateRule.of(name, parameter))
            .toList();
    AdamW.Settings settings = AdamW.Settings.of(training, maxGradNorm);
    return new Optimizer(device, name, parameters.trained(), rules, settings);
  }

  /**
   * Creates an optimizer at step 0.
   *
   * @param rules one for each parameter
   */
  Optimizer(
      Device device,
      OptimizerName name,
      TrainedParameters trained,
      List<UpdateRule> rules,
      AdamW.Settings settings) {
    this.name = name;
    this.kernel = new AdamWKernel(device);
    this.owner = device.newManager();
    this.trained = trained;
    Map<UpdateRule, List<Integer>> members = new TreeMap<>();
    for (int i = 0; i < rules.size(); i++) {
      members.computeIfAbsent(rules.get(i), rule -> new ArrayList<>()).add(i);
    }
    Map<Integer, Place> found = new TreeMap<>();
    members.forEach(
        (rule, indexes) -> {
          TrainedParameters some = trained.some(indexes);
          Updates updates =
              switch (rule) {
                case ADAMW -> new AdamW(device, some.masters(), settings);
                case ADAMW_8BIT -> new AdamW8Bit(device, some.masters(), settings);
                case MUON -> new Muon(device, some, settings);
              };
          shares.add(new Share(indexes, updates));
          for (int at = 0; at < indexes.size(); at++) {
            found.put(indexes.get(at), new Place(updates, at));
          }
        });
    this.places = List.copyOf(found.values());
  }

  /** Returns the name of the optimizer. */
  public OptimizerName name() {
    return name;
  }

  /**
   * Makes an optimizer step. If the gradient norm is not finite, everything stays unchanged.
   *
   * @param gradients one for each parameter; set to zero afterward
   * @param learningRate of this step
   * @return the global gradient norm before clipping
   */
  public double step(NDList gradients, double learningRate) {
    try (NDManager scope = owner.newSubManager()) {
      double norm = Math.sqrt(kernel.squares(scope, gradients));
      for (Share share : shares) {
        NDList some = new NDList();
        share.members().forEach(i -> some.add(gradients.get(i)));
        share.updates().step(scope, some, steps + 1, learningRate, norm);
      }
      steps += Double.isFinite(norm) ? 1 : 0;
      round(scope);
      return norm;
    }
  }

  private void round(NDManager scope) {
    NDList narrow = new NDList();
    NDList wide = new NDList();
    for (int i = 0; i < trained.tensors().size(); i++) {
      if (trained.tensors().get(i) != trained.masters().get(i)) {
        narrow.add(trained.tensors().get(i));
        wide.add(trained.masters().get(i));
      }
    }
    if (!narrow.isEmpty()) {
      kernel.round(scope, narrow, wide);
    }
  }

  /** Returns the number of optimizer steps made, without skipped ones. */
  public long steps() {
    return steps;
  }

  /** Sets the step count after the kept tensors and masters were restored. */
  public void resume(long made) {
    steps = made;
    try (NDManager scope = owner.newSubManager()) {
      round(scope);
    }
  }

  /** Returns the bytes of all kept tensors. */
  public long bytes() {
    long bytes = 0;
    for (int i = 0; i < places.size(); i++) {
      for (Kind kind : Kind.values()) {
        NDArray kept = kept(kind, i);
        if (kept != null) {
          bytes += kept.getDataType().getNumOfBytes() * kept.getShape().size();
        }
      }
    }
    return bytes;
  }

  /** Returns a tensor that is kept of a trained parameter, or null if there is none. */
  @Nullable NDArray kept(Kind kind, int parameter) {
    Place place = places.get(parameter);
    return place.updates().kept(kind, place.at());
  }

  /** Frees what the optimizer keeps. */
  @Override
  public void close() {
    shares.forEach(share -> share.updates().close());
    owner.close();
    kernel.close();
  }
}
