package roll.core.curriculum;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Whole groups for shares that are none: what a tag was owed and not given in one step counts in
 * the next, so that over many steps each tag plays its share, however few groups a step has.
 *
 * @param groups of each tag, in the order of the tags
 * @param owed to each tag after this step, in groups; less than 0 where it was given more
 */
record GroupCredits(List<Integer> groups, Map<String, Double> owed) {
  /**
   * Gives {@code groups} groups, one after the other, each to the tag that is owed most and among
   * equals to the first. A tag without a share is given none and owed nothing.
   *
   * @param tags of which one at least has a share
   * @param shares of the tags, together 1; a tag that is not there has none
   * @param owed from the steps before
   */
  static GroupCredits of(
      List<String> tags, int groups, Map<String, Double> shares, Map<String, Double> owed) {
    Map<String, Double> credits = new LinkedHashMap<>();
    for (String tag : tags) {
      double share = shares.getOrDefault(tag, 0.0);
      if (share > 0) {
        credits.put(tag, owed.getOrDefault(tag, 0.0) + share * groups);
      }
    }
    Map<String, Integer> given = new LinkedHashMap<>();
    for (int i = 0; i < groups; i++) {
      String most = Collections.max(credits.entrySet(), Map.Entry.comparingByValue()).getKey();
      credits.merge(most, -1.0, Double::sum);
      given.merge(most, 1, Integer::sum);
    }
    List<Integer> byTag = new ArrayList<>();
    tags.forEach(tag -> byTag.add(given.getOrDefault(tag, 0)));
    return new GroupCredits(List.copyOf(byTag), credits);
  }
}
