package roll.env.click_and_read.site;

import java.util.List;
import java.util.Map;

/**
 * A question about a site.
 *
 * @param site the site
 * @param question what is asked
 * @param subject what is asked about: the name of a place of a generated site, in other sites the
 *     question itself. A subject that is kept for validation is asked about nowhere else
 * @param answers right answers, at least one
 * @param start path of the page where an episode begins
 * @param clicks the fewest clicks from a page to one on which the answer stands; pages from which
 *     there is no way are missing
 */
public record SiteQuestion(
    Site site,
    String question,
    String subject,
    List<String> answers,
    String start,
    Map<String, Integer> clicks) {}
