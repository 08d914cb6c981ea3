package roll.grader.math_verify.compare;

import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;

/** Words that may follow a value without being part of it. */
final class Units {
  private static final Set<String> KNOWN =
      Set.of(
          """
          m,cm,mm,km,kg,g,mg,s,h,l,ml,ft,in,lb,lbs,mph,kph,rad,degrees,degree,radians,units,unit,\
          square units,cubic units,sq units,meters,metres,inches,feet,miles,yards,seconds,minutes,\
          hours,days,weeks,months,years,dollars,cents,liters,litres,grams,kilograms,pounds\
          """
              .split(","));

  /** Words by which a text is recognized as a statement. */
  private static final Pattern STATEMENT =
      Pattern.compile(
          "\\b(?:and|or|not|no|none|nothing|if|when|where|is|are|for|to|mod|than|only|but|except|otherwise)\\b");

  private Units() {}

  /** Returns whether a number can count {@code words}. */
  static boolean counted(String words) {
    return !STATEMENT.matcher(words.toLowerCase(Locale.ROOT)).find();
  }

  /** Returns whether {@code words} are a unit of measurement. */
  static boolean known(String words) {
    return KNOWN.contains(words.toLowerCase(Locale.ROOT));
  }
}
