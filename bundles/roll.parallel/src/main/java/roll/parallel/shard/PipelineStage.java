package roll.parallel.shard;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import roll.api.model.Adapter;
import roll.api.model.DecoderSpec;
import roll.api.model.DecoderSpec.Trait;
import roll.decoder.DecoderParameters;
import roll.torch.model.Head;
import roll.torch.vision.VisionTower;

/**
 * The part of a model on a pipeline stage, divided into segments; the same for all ranks of the
 * stage.
 */
public final class PipelineStage {
  private static final String TOWER = "tower ";

  private final DecoderSpec share;
  private final List<DecoderSpec.Parameter> shares;
  private final int layerSize;
  private final int first;
  private final int end;
  private final boolean head;
  private final List<List<Integer>> tower;
  private final Set<Integer> trained;
  private final int lowest;
  private final List<Segment> segments;
  private final Map<Integer, Location> locations = new HashMap<>();

  /**
   * The location of a parameter in a pipeline stage.
   *
   * @param segment number of the segment
   * @param parameter in the segment
   */
  public record Location(int segment, Segment.Parameter parameter) {}

  /** Creates stage {@code number} of {@code spec}. */
  public PipelineStage(DecoderSpec spec, ParallelLayout layout, int number) {
    this.share = ShardAxis.share(spec, layout.tensor());
    this.shares = DecoderParameters.of(share);
    this.layerSize = DecoderParameters.layer(share, 0).size();
    this.first = spec.layers() * number / layout.pipeline();
    this.end = spec.layers() * (number + 1) / layout.pipeline();
    this.head = number == layout.pipeline() - 1;
    this.tower = VisionTower.pieces(spec);
    this.trained = Set.copyOf(layout.trained(spec));
    this.lowest = lowest(spec);
    this.segments = segments(spec, layout);
    for (int s = 0; s < segments.size(); s++) {
      for (Segment.Parameter parameter : segments.get(s).parameters()) {
        locations.put(parameter.index(), new Location(s, parameter));
      }
    }
  }

  private List<Segment> segments(DecoderSpec spec, ParallelLayout layout) {
    boolean cuts = layout.zero() == 3;
    List<Segment> all = new ArrayList<>();
    List<Segment.Parameter> small = new ArrayList<>();
    groups(spec)
        .forEach(
            (name, group) -> {
              List<Segment.Parameter> large = new ArrayList<>();
              List<Segment.Parameter> fixed = new ArrayList<>();
              for (Segment.Parameter parameter : group) {
                boolean stays = cuts && stays(parameter, layout);
                List<Segment.Parameter> apart = cuts || parameter.trained() ? large : fixed;
                (stays ? small : apart).add(parameter);
              }
              for (List<Segment.Parameter> some : List.of(large, fixed)) {
                if (!some.isEmpty()) {
                  all.add(Segment.of(name, some, layout.owners(), !cuts));
                }
              }
            });
    for (boolean trained : new boolean[] {true, false}) {
      List<Segment.Parameter> some =
          small.stream().filter(parameter -> parameter.trained() == trained).toList();
      if (!some.isEmpty()) {
        all.add(Segment.of("small", some, layout.owners(), true));
      }
    }
    return List.copyOf(all);
  }

  /** Returns whether {@code parameter} stays on every rank at ZeRO stage 3, as adapters do. */
  private static boolean stays(Segment.Parameter parameter, ParallelLayout layout) {
    String name = parameter.name();
    return parameter.size() <= layout.persistence()
        || name.endsWith(Adapter.A)
        || name.endsWith(Adapter.B);
  }

  /**
   * Groups the parameters by module: the embedding, each layer, the last norm and head, each piece
   * of a vision tower.
   */
  private Map<String, List<Segment.Parameter>> groups(DecoderSpec spec) {
    Map<String, List<Segment.Parameter>> groups = new LinkedHashMap<>();
    boolean copy = head && first > 0 && spec.has(Trait.TIED_HEAD);
    if (first == 0 || copy) {
      groups.put("embedding", List.of(parameter(0, !copy)));
    }
    for (int layer = first; layer < end; layer++) {
      groups.put("layer " + layer, parameters(layer(layer)));
    }
    if (head) {
      groups.put(
          "head", parameters(IntStream.range(norm(), VisionTower.first(spec)).boxed().toList()));
    }
    if (first == 0) {
      for (int piece = 0; piece < tower.size(); piece++) {
        groups.put(TOWER + piece, parameters(tower.get(piece)));
      }
    }
    return groups;
  }

  private List<Segment.Parameter> parameters(List<Integer> indexes) {
    return indexes.stream().map(i -> parameter(i, true)).toList();
  }

  private Segment.Parameter parameter(int index, boolean counted) {
    String name = shares.get(index).name();
    List<Integer> shape = shares.get(index).shape();
    int dimensions = Math.min(2, shape.size());
    int rows = dimensions == 2 ? shape.getFirst() : 1;
    long columns =
        shape.stream()
            .skip(dimensions - 1L)
            .mapToLong(Integer::longValue)
            .reduce(1, Math::multiplyExact);
    return new Segment.Parameter(
        index,
        name,
        rows,
        columns,
        dimensions,
        ShardAxis.of(name),
        0,
        counted,
        trained.contains(index));
  }

  /** Computes the lowest trained layer, see {@link #lowest()}. */
  private int lowest(DecoderSpec spec) {
    int behind = VisionTower.first(spec);
    boolean below = trained.contains(0) || trained.stream().anyMatch(i -> i >= behind);
    return below
        ? -1
        : trained.stream().mapToInt(i -> (i - 1) / layerSize).min().orElse(spec.layers());
  }

  /** Returns the dimensions of a rank's share of the layers. */
  public DecoderSpec share() {
    return share;
  }

  /** Returns the first layer of the pipeline stage. */
  public int first() {
    return first;
  }

  /** Returns the last layer of the stage plus one. */
  public int end() {
    return end;
  }

  /** Returns whether the pipeline stage begins with the embedding. */
  public boolean embeds() {
    return first == 0;
  }

  /** Returns whether the pipeline stage ends with the head. */
  public boolean hasHead() {
    return head;
  }

  /** Returns the segments of the pipeline stage. */
  public List<Segment> segments() {
    return segments;
  }

  /**
   * Returns the lowest layer that the backward pass reaches: -1 for the embedding, the number of
   * all layers if none has trained parameters in or below it.
   */
  public int lowest() {
    return lowest;
  }

  /** Returns those of {@code parameters} that are trained. */
  public List<Integer> trained(List<Integer> parameters) {
    return parameters.stream().filter(trained::contains).toList();
  }

  /** Returns the parameters of layer {@code layer}, in the order of the specification. */
  public List<Integer> layer(int layer) {
    int from = 1 + layer * layerSize;
    return IntStream.range(from, from + layerSize).boxed().toList();
  }

  /**
   * Returns the parameters used after layer {@code layer} on this stage: those of the next one, or
   * of the head.
   */
  public List<Integer> behind(int layer) {
    return layer + 1 < end ? layer(layer + 1) : head ? Head.parameters(share) : List.of();
  }

  /** Returns the index of the last norm. */
  public int norm() {
    return 1 + share.layers() * layerSize;
  }

  /**
   * Returns the parameters of each piece of the vision tower, in their order; empty without a
   * tower.
   */
  public List<List<Integer>> tower() {
    return tower;
  }

  /** Returns the location of parameter {@code index}, or null if it is not on this stage. */
  @org.jspecify.annotations.Nullable
  public Location location(int index) {
    return locations.get(index);
  }
}
