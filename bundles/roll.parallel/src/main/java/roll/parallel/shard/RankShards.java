package roll.parallel.shard;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDList;
import ai.djl.ndarray.NDManager;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import roll.parallel.collective.Communicator;
import roll.torch.Device;
import roll.torch.MemoryLedger;

/**
 * The parameters and gradients of one rank: its shares of all segments, and the buffers of gathered
 * segments. Owns all of it. Used on the rank's compute thread.
 */
public final class RankShards implements AutoCloseable {
  private final PipelineStage stage;
  private final Communicator data;
  private final int rank;
  private final FlatTensors flat;
  private final NDManager owner;
  private final List<SegmentState> states = new ArrayList<>();
  private final ParameterGatherer gathering;
  private final Map<Integer, NDArray> residentWeights;
  private final Map<Integer, NDArray> residentGradients;
  private @Nullable SegmentBuffer gradientBuffer;
  private int inBuffer = -1;

  /**
   * Allocates the shards of a rank, filled with zeros.
   *
   * @param trains whether there are gradients and moments
   * @param data the data-parallel ranks
   * @param gathering the same ranks, only for gathering
   */
  public RankShards(
      Device device,
      PipelineStage stage,
      ParallelLayout layout,
      boolean trains,
      Communicator data,
      Communicator gathering,
      MemoryLedger ledger) {
    this.stage = stage;
    this.data = data;
    this.rank = data.rank();
    this.flat = new FlatTensors(device);
    this.owner = device.newManager();
    for (Segment segment : stage.segments()) {
      states.add(new SegmentState(device, segment, layout, trains, rank, flat, owner, ledger));
    }
    this.gathering =
        new ParameterGatherer(device, flat, states, gathering, layout.prefetch(), ledger);
    this.residentWeights = new HashMap<>();
    this.residentGradients = new HashMap<>();
    for (SegmentState state : states) {
      List<Segment.Parameter> parameters = state.segment().parameters();
      place(residentWeights, state.weights(), parameters);
    }
  }

  /** Allocates gradients with zeros, until {@link #rest}. */
  public void openGradients() {
    for (SegmentState state : trained()) {
      state.openGradients(owner.newSubManager());
      place(residentGradients, state.gradients(), state.segment().parameters());
    }
  }

  private void place(
      Map<Integer, NDArray> places, @Nullable NDArray all, List<Segment.Parameter> parameters) {
    if (all != null) {
      NDList views = flat.views(owner, all, SegmentBuffer.parts(parameters));
      for (int i = 0; i < views.size(); i++) {
        places.put(parameters.get(i).index(), views.get(i));
      }
    }
  }

  /**
   * Returns the tensors of {@code parameters}, valid until the next call.
   *
   * @param next parameters to prefetch
   */
  public NDList weights(List<Integer> parameters, List<Integer> next) {
    int segment = gathered(parameters);
    Map<Integer, NDArray> views =
        segment < 0 ? Map.of() : gathering.gather(segment, gathered(next));
    NDList tensors = new NDList(parameters.size());
    for (int parameter : parameters) {
      NDArray resident = residentWeights.get(parameter);
      tensors.add(resident == null ? Objects.requireNonNull(views.get(parameter)) : resident);
    }
    return tensors;
  }

  /** Returns the segment of {@code parameters} that is not resident, or -1. */
  private int gathered(List<Integer> parameters) {
    return segments(parameters).stream()
        .filter(segment -> !states.get(segment).segment().resident())
        .findFirst()
        .orElse(-1);
  }

  private Set<Integer> segments(List<Integer> parameters) {
    Set<Integer> segments = new LinkedHashSet<>();
    for (int parameter : parameters) {
      segments.add(Objects.requireNonNull(stage.location(parameter)).segment());
    }
    return segments;
  }

  /**
   * Returns the gradients of {@code parameters} for accumulation, until {@link #reduce} of the
   * same.
   */
  public NDList gradients(List<Integer> parameters) {
    Map<Integer, NDArray> views = Map.of();
    for (int segment : segments(parameters)) {
      if (states.get(segment).scatters()) {
        views = open(segment);
      }
    }
    NDList tensors = new NDList(parameters.size());
    for (int parameter : parameters) {
      NDArray resident = residentGradients.get(parameter);
      tensors.add(resident == null ? Objects.requireNonNull(views.get(parameter)) : resident);
    }
    return tensors;
  }

  /** Opens the buffer for {@code segment}: this rank's share of the gradients, and 0 otherwise. */
  private Map<Integer, NDArray> open(int segment) {
    SegmentBuffer buffer = gathering.lend();
    gradientBuffer = buffer;
    inBuffer = segment;
    NDArray share = states.get(segment).gradientShare();
    buffer.hold(states.get(segment).segment().size(), share, share.size() * rank);
    return buffer.views(segment, states.get(segment).segment());
  }

  /** Reduce-scatters the gradients of {@code parameters}. */
  public void reduce(List<Integer> parameters) {
    if (inBuffer >= 0 && segments(parameters).contains(inBuffer)) {
      SegmentState state = states.get(inBuffer);
      data.reduceScatter(
          Objects.requireNonNull(gradientBuffer).memory(state.segment().size()),
          FlatTensors.memory(state.gradientShare()));
      gathering.giveBack();
      inBuffer = -1;
    }
  }

  /**
   * Reduces the gradients that are reduced once in a step.
   *
   * @param tensor the tensor-parallel ranks
   * @param tied the first and the last stage if both have a tied embedding, or null
   */
  public void reduceAll(Communicator tensor, @Nullable Communicator tied) {
    for (SegmentState state : trained()) {
      NDArray all = state.gradients();
      if (all != null) {
        MemorySegment own = FlatTensors.memory(state.gradientShare());
        if (own.byteSize() == FlatTensors.memory(all).byteSize()) {
          data.allReduce(own);
        } else {
          data.reduceScatter(FlatTensors.memory(all), own);
        }
      }
      if (tensor.size() > 1) {
        try (NDManager scope = owner.newSubManager()) {
          state.wholeGradients(scope).forEach(part -> tensor.allReduce(FlatTensors.memory(part)));
        }
      }
    }
    PipelineStage.Location embedding = stage.location(0);
    if (tied != null && embedding != null && embedding.parameter().trained()) {
      tied.allReduce(FlatTensors.memory(states.get(embedding.segment()).gradientShare()));
    }
  }

  /** Publishes all resident weights to every rank after the shares have changed. */
  public void publish() {
    publish(states);
  }

  /** Publishes resident trained weights to every rank after a step. */
  public void publishTrained() {
    publish(trained());
  }

  private void publish(List<SegmentState> changed) {
    gathering.forget();
    for (SegmentState state : changed) {
      NDArray all = state.weights();
      MemorySegment share = all == null ? MemorySegment.NULL : shareOf(state);
      if (all != null && share.byteSize() < FlatTensors.memory(all).byteSize()) {
        data.allGather(share, FlatTensors.memory(all));
      }
    }
  }

  private static MemorySegment shareOf(SegmentState state) {
    return state.share() instanceof FloatStore.InMemory share
        ? FlatTensors.memory(share.floats())
        : MemorySegment.NULL;
  }

  /** Returns the state of each segment, in the order of the stage's segments. */
  public List<SegmentState> states() {
    return states;
  }

  /** Returns the states of trained segments. */
  public List<SegmentState> trained() {
    return states.stream().filter(state -> state.segment().trained()).toList();
  }

  /** Returns a new manager for views of gradients. */
  public NDManager scope() {
    return owner.newSubManager();
  }

  /** Frees the buffers and the gradients. */
  public void rest() {
    gathering.free();
    residentGradients.values().forEach(NDArray::close);
    residentGradients.clear();
    states.forEach(SegmentState::closeGradients);
    gradientBuffer = null;
    inBuffer = -1;
  }

  /** Frees the shards and buffers of the rank. */
  @Override
  public void close() {
    rest();
    gathering.close();
    states.forEach(SegmentState::close);
    owner.close();
    flat.close();
  }
}
