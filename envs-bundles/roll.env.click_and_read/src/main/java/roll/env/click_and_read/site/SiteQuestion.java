package roll.env.click_and_read.site;

import java.util.List;
import java.util.Map;

/**
 * A question about a site.
 *
 * @param site the site
 * @param question the question
 * @param subject subject of the question: the name of a place of a generated site, otherwise the
 *     question itself. A subject reserved for validation is not used in training
 * @param answers correct answers, at least one
 * @param start path of the first page
 * @param clicks minimum clicks from each page to one with the answer; unreachable pages are missing
 */
public record SiteQuestion(
    Site site,
    String question,
    String subject,
    List<String> answers,
    String start,
    Map<String, Integer> clicks) {}
