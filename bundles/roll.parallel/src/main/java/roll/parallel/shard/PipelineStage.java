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
 * The part of a model that a pipeline stage has, cut into segments. It is the same for all ranks of
 * the stage.
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
   * Where a parameter lies.
   *
   * @param segment number of its segment
   * @param parameter in it
   */
  public record Location(int segment, Segment.Parameter parameter) {}

  /** Stage {@code number} of {@code spec}. */
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

  /** Whether at stage 3 every rank has all of {@code parameter}, as it has all adapters. */
  private static boolean stays(Segment.Parameter parameter, ParallelLayout layout) {
    String name = parameter.name();
    return parameter.size() <= layout.persistence()
        || name.endsWith(Adapter.A)
        || name.endsWith(Adapter.B);
  }

  /**
   * The parameters by what they belong to: the embedding, each layer, the last norm and head, each
   * piece of a vision tower.
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

  /** The lowest layer of the model with something trained in it, or see {@link #lowest()}. */
  private int lowest(DecoderSpec spec) {
    int behind = VisionTower.first(spec);
    boolean below = trained.contains(0) || trained.stream().anyMatch(i -> i >= behind);
    return below
        ? -1
        : trained.stream().mapToInt(i -> (i - 1) / layerSize).min().orElse(spec.layers());
  }

  /** The dimensions of a rank's share of the layers. */
  public DecoderSpec share() {
    return share;
  }

  /** First layer. */
  public int first() {
    return first;
  }

  /** Layer behind the last. */
  public int end() {
    return end;
  }

  /** Whether it begins with the embedding. */
  public boolean embeds() {
    return first == 0;
  }

  /** Whether it ends with the head. */
  public boolean hasHead() {
    return head;
  }

  /** The segments. */
  public List<Segment> segments() {
    return segments;
  }

  /**
   * How far down the model the way back goes: to this layer, or -1 where it goes to the embedding;
   * the number of all layers where none has anything trained in or below it.
   */
  public int lowest() {
    return lowest;
  }

  /** Those of {@code parameters} that are trained. */
  public List<Integer> trained(List<Integer> parameters) {
    return parameters.stream().filter(trained::contains).toList();
  }

  /** Parameters of layer {@code layer}, in the order of the specification. */
  public List<Integer> layer(int layer) {
    int from = 1 + layer * layerSize;
    return IntStream.range(from, from + layerSize).boxed().toList();
  }

  /** What is used behind layer {@code layer}: the next one, or the head, if it is here. */
  public List<Integer> behind(int layer) {
    return layer + 1 < end ? layer(layer + 1) : head ? Head.parameters(share) : List.of();
  }

  /** The last norm. */
  public int norm() {
    return 1 + share.layers() * layerSize;
  }

  /** Parameters of each piece of the vision tower, in their order; none without one. */
  public List<List<Integer>> tower() {
    return tower;
  }

  /** Where parameter {@code index} lies, or null if it is not in this stage. */
  @org.jspecify.annotations.Nullable
  public Location location(int index) {
    return locations.get(index);
  }
}
