package roll.reward.detection;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Pairs of a found and a known box: how many there are, and the sum of their overlaps.
 *
 * @param pairs number of pairs
 * @param overlap sum of the overlaps of pairs with equal labels
 */
record BoxMatching(int pairs, double overlap) {
  /** A pair of positions, and the overlap of the boxes. */
  private record Pair(int found, int known, double overlap) {}

  /**
   * Pairs known boxes, in their order, with the found one of the same label that overlaps most.
   *
   * @param least minimum overlap of a pair
   */
  static BoxMatching byLabel(List<LabeledBox> found, List<LabeledBox> known, double least) {
    List<LabeledBox> left = new ArrayList<>(found);
    int pairs = 0;
    double sum = 0;
    for (LabeledBox box : known) {
      LabeledBox best =
          left.stream()
              .filter(other -> other.label().equals(box.label()))
              .reduce((a, b) -> b.overlap(box) > a.overlap(box) ? b : a)
              .orElse(null);
      if (best != null && best.overlap(box) >= least) {
        left.remove(best);
        pairs++;
        sum += best.overlap(box);
      }
    }
    return new BoxMatching(pairs, sum);
  }

  /**
   * Pairs the boxes that overlap most, whatever their labels, then those that overlap most of the
   * others, and so on.
   *
   * @param least minimum overlap of a pair
   */
  static BoxMatching byOverlap(List<LabeledBox> found, List<LabeledBox> known, double least) {
    List<Pair> best =
        IntStream.range(0, found.size())
            .boxed()
            .flatMap(
                i ->
                    IntStream.range(0, known.size())
                        .mapToObj(j -> new Pair(i, j, found.get(i).overlap(known.get(j)))))
            .filter(pair -> pair.overlap >= least)
            .sorted(Comparator.comparingDouble(Pair::overlap).reversed())
            .toList();
    boolean[] usedFound = new boolean[found.size()];
    boolean[] usedKnown = new boolean[known.size()];
    int pairs = 0;
    double sum = 0;
    for (Pair pair : best) {
      if (!usedFound[pair.found] && !usedKnown[pair.known]) {
        usedFound[pair.found] = true;
        usedKnown[pair.known] = true;
        pairs++;
        boolean same = found.get(pair.found).label().equals(known.get(pair.known).label());
        sum += same ? pair.overlap : 0;
      }
    }
    return new BoxMatching(pairs, sum);
  }

  /**
   * The mean overlap of the known boxes, and the mean of recall and precision, weighted.
   *
   * @param completeness weight of the latter, 0 to 1
   */
  double score(int found, int known, double completeness) {
    double missed = (known - pairs) / (double) known;
    double wrong = (found - pairs) / (double) found;
    return (1 - completeness) * overlap / known + completeness * (1 - (missed + wrong) / 2);
  }
}
