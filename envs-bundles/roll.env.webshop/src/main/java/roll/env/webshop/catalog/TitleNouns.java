package roll.env.webshop.catalog;

import java.util.LinkedHashSet;
import java.util.Locale;
import java.util.Set;

/**
 * Extracts the nouns of a title without a tagger: every word except numbers, function words, and
 * the adjectives, adverbs and verb forms that are common in titles.
 */
public final class TitleNouns {
  private static final Set<String> OTHERS =
      Set.of(
          """
          a about above across after again against all along also am among an and another any are
          around as at be because been before being below beneath beside besides between beyond both
          but by can could did do does down during each either else every everyone few for from had
          has have he her here hers him his how if in inside into is it its just less like many may
          me might mine more most much must my near neither no none nor not of off on once one only
          onto or other others our ours out outside over own per plus she should since so some such
          than that the their theirs them then there these they this those through throughout till
          to too toward under until up upon us very via was we were what when where which while who
          whom whose why will with within without would yet you your yours
          adjustable all-natural antique assorted automatic available best better big black blue
          bright brown casual cheap classic clean clear comfortable compact compatible complete
          contemporary cool cordless cozy curly cute daily dark decorative deep detachable different
          disposable double dry durable easily easy elastic electric elegant essential ethnic extra
          fashionable fast fast-drying fine fitted flat flexible foldable folding free fresh full
          funny genuine giant good gorgeous great green grey gray hanging hard heavy high hot huge
          ideal inflatable instant large larger last lightweight little long low luxurious magnetic
          medium metallic mini modern multiple natural new nice nonslip novel old open orange organic
          original perfect personalized pink plain pointed pointy popular portable powerful premium
          pretty printed pure purple quick quiet real rechargeable red regular removable reusable
          rich round rustic safe scented seamless sexy sharp shiny short simple single sleeveless
          slim slip-on small smart smooth soft solid special spicy square stackable standard stiff
          strong stylish super sweet tall thick thin tight tiny top-rated traditional transparent
          ultra unique universal upgraded useful vintage warm washable waterproof white whole wide
          wireless wooden yellow young
          boost bring buy cleaning drying enhance fit fits help helps improve keep make makes
          protect reduce remove removes suitable use used using works
          """
              .strip()
              .split("\\s+"));

  private TitleNouns() {}

  /** Returns the nouns of {@code title}, lower case. */
  public static Set<String> of(String title) {
    Set<String> nouns = new LinkedHashSet<>();
    String text = title.toLowerCase(Locale.ROOT).replaceAll("['’]s\\b", "");
    for (String word : text.split("[^\\p{L}\\p{N}]+", -1)) {
      if (word.length() > 1 && Character.isLetter(word.charAt(0)) && !OTHERS.contains(word)) {
        nouns.add(word);
      }
    }
    return nouns;
  }
}
