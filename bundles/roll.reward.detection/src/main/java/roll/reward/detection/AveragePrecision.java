package roll.reward.detection;

import java.util.List;

/**
 * COCO's mean average precision of one picture: of the labels of known boxes, the mean precision at
 * 101 recalls. Found boxes have no confidence, so they count in the order of the response, at most
 * 100 of a label.
 *
 * @param mean of the thresholds 0.5, 0.55 … 0.95
 * @param half with the threshold 0.5
 * @param threeQuarters with the threshold 0.75
 */
record AveragePrecision(double mean, double half, double threeQuarters) {
  private static final int THRESHOLDS = 10;
  private static final int RECALLS = 101;
  private static final int MOST = 100;

  /** Returns the average precision of {@code found}; {@code known} has at least one box. */
  static AveragePrecision of(List<LabeledBox> found, List<LabeledBox> known) {
    double[] precisions = new double[THRESHOLDS];
    double sum = 0;
    for (int i = 0; i < THRESHOLDS; i++) {
      precisions[i] = overLabels(found, known, (50 + 5 * i) / 100.0);
      sum += precisions[i];
    }
    return new AveragePrecision(sum / THRESHOLDS, precisions[0], precisions[5]);
  }

  private static double overLabels(List<LabeledBox> found, List<LabeledBox> known, double least) {
    return known.stream()
        .map(LabeledBox::label)
        .distinct()
        .mapToDouble(label -> ofLabel(with(label, found), with(label, known), least))
        .average()
        .orElse(0);
  }

  private static List<LabeledBox> with(String label, List<LabeledBox> boxes) {
    return boxes.stream().filter(box -> box.label().equals(label)).toList();
  }

  private static double ofLabel(List<LabeledBox> found, List<LabeledBox> known, double least) {
    int count = Math.min(found.size(), MOST);
    boolean[] taken = new boolean[known.size()];
    double[] recall = new double[count];
    double[] precision = new double[count];
    int hits = 0;
    for (int i = 0; i < count; i++) {
      int best = best(found.get(i), known, taken, least);
      if (best >= 0) {
        taken[best] = true;
        hits++;
      }
      recall[i] = hits / (double) known.size();
      precision[i] = hits / (double) (i + 1);
    }
    for (int i = count - 2; i >= 0; i--) {
      precision[i] = Math.max(precision[i], precision[i + 1]);
    }
    double sum = 0;
    int at = 0;
    for (int step = 0; step < RECALLS; step++) {
      while (at < count && recall[at] < step / 100.0) {
        at++;
      }
      sum += at < count ? precision[at] : 0;
    }
    return sum / RECALLS;
  }

  /** Returns the position of the free known box that overlaps most, or −1 if none is enough. */
  private static int best(LabeledBox box, List<LabeledBox> known, boolean[] taken, double least) {
    int best = -1;
    double most = least;
    for (int i = 0; i < known.size(); i++) {
      double overlap = box.overlap(known.get(i));
      if (!taken[i] && overlap >= most) {
        most = overlap;
        best = i;
      }
    }
    return best;
  }
}
