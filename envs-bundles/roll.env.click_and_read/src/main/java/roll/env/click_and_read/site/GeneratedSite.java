package roll.env.click_and_read.site;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.jsoup.Jsoup;
import org.jsoup.nodes.Document;
import roll.api.data.RandomStreams;
import roll.env.click_and_read.site.SiteWords.Fact;

/**
 * A generated guide to the places of a region: index pages, and at a fixed depth the pages of
 * places, with six facts each, facts of other places and links to them. It is a function of its
 * shape and number.
 */
public final class GeneratedSite {
  private static final String HOME = "index.html";

  private final Shape shape;
  private final RandomGenerator random;
  private final Map<String, List<String>> names = new HashMap<>();
  private final Map<String, String> pages = new TreeMap<>();
  private final List<Place> places = new ArrayList<>();

  /**
   * The parameters by which sites are generated.
   *
   * @param pages number of pages
   * @param depth clicks from the first page to those of places, 1 to 4
   * @param distractors facts of other places, and links to them, on the page of a place
   * @param asked kinds of facts for questions, in lower case
   */
  public record Shape(int pages, int depth, int distractors, Set<String> asked) {
    /** Creates a shape with questions about every fact. */
    public Shape(int pages, int depth, int distractors) {
      this(pages, depth, distractors, SiteWords.FACTS);
    }
  }

  /** A place of the generated guide with its facts. */
  private record Place(TreeNode spot, String kind, Map<Fact, String> facts) {}

  /**
   * A page in the tree of a generated site.
   *
   * @param path its path
   * @param name label of links to it
   * @param trail the pages above it, from the first
   */
  private record TreeNode(String path, String name, List<TreeNode> trail) {
    TreeNode below(String file, String name) {
      String folder = path.substring(0, path.length() - HOME.length());
      return new TreeNode(
          folder + file, name, Stream.concat(trail.stream(), Stream.of(this)).toList());
    }
  }

  private GeneratedSite(Shape shape, int number) {
    this.shape = shape;
    random = RandomStreams.of(number, "roll.env.click_and_read/site");
  }

  /** Returns the questions of site {@code number}; all share one {@link Site}. */
  public static List<SiteQuestion> tasks(Shape shape, int number, int most) {
    return new GeneratedSite(shape, number).tasks(most);
  }

  /** Returns path and HTML of every page of site {@code number}. */
  public static Map<String, String> html(Shape shape, int number) {
    GeneratedSite generated = new GeneratedSite(shape, number);
    generated.build();
    return generated.pages;
  }

  private List<SiteQuestion> tasks(int most) {
    build();
    Map<String, Document> documents = new TreeMap<>();
    pages.forEach((path, html) -> documents.put(path, Jsoup.parse(html)));
    Site site = new Site(documents, SiteContent.of(pages), most);
    List<SiteQuestion> tasks = new ArrayList<>();
    for (Place place : places) {
      Map<String, Integer> clicks = site.clicks(Set.of(place.spot().path()));
      String name = place.spot().name() + whereabouts(place.spot());
      place
          .facts()
          .forEach(
              (fact, value) -> {
                if (shape.asked().contains(fact.word())) {
                  tasks.add(
                      new SiteQuestion(
                          site,
                          fact.question(name),
                          place.spot().name(),
                          List.of(value),
                          HOME,
                          clicks));
                }
              });
    }
    return List.copyOf(tasks);
  }

  /** Returns the names of the folders that the name of the place does not determine. */
  private String whereabouts(TreeNode spot) {
    List<String> above =
        spot.trail().stream()
            .skip(1)
            .limit(Math.max(0, shape.depth() - 2))
            .map(TreeNode::name)
            .toList();
    return above.isEmpty() ? "" : " (" + String.join(", ", above) + ")";
  }

  private void build() {
    grow(new TreeNode(HOME, "Guide to the region", List.of()), shape.pages() - 1, "");
    places.forEach(this::write);
  }

  /** Generates {@code budget} pages below {@code spot}, evenly distributed, and its own. */
  private void grow(TreeNode spot, int budget, String kind) {
    int levels = shape.depth() - spot.trail().size();
    List<TreeNode> below = new ArrayList<>();
    if (levels == 1) {
      for (int i = 0; i < budget; i++) {
        String type = kind.isEmpty() ? SiteWords.KINDS.get(i % SiteWords.KINDS.size()) : kind;
        String name = name(type);
        TreeNode leaf = spot.below(file(name) + ".html", name);
        below.add(leaf);
        places.add(new Place(leaf, type, facts()));
      }
    } else {
      List<String> words =
          shuffled(
              levels == 2 ? SiteWords.KINDS : levels == 3 ? SiteWords.DISTRICTS : SiteWords.TOWNS);
      long even = Math.round(Math.pow(budget, 1.0 / levels));
      int count = (int) Math.min(Math.max(1, even), Math.min(words.size(), budget / levels));
      for (int i = 0; i < count; i++) {
        String word = words.get(i);
        String name = levels == 2 ? plural(word) : levels == 3 ? word + " district" : word;
        TreeNode child = spot.below(file(name) + "/" + HOME, name);
        below.add(child);
        int share = budget / count + (i < budget % count ? 1 : 0);
        grow(child, share - 1, levels == 2 ? word : "");
      }
    }
    pages.put(spot.path(), HtmlWriter.index(spot.name(), links(spot.trail()), links(below)));
  }

  /** Returns a name that is unique on the site; each kind has enough names. */
  private String name(String kind) {
    List<String> left = names.computeIfAbsent(kind, _ -> shuffled(SiteWords.FIRST));
    return left.removeLast() + " " + kind;
  }

  /** Returns a value for each fact, in random order. */
  private Map<Fact, String> facts() {
    Map<Fact, String> facts = new LinkedHashMap<>();
    shuffled(List.of(Fact.values())).forEach(fact -> facts.put(fact, fact.draw(random)));
    return facts;
  }

  /** Writes the page of a place: its facts among those of other places, similar ones first. */
  private void write(Place place) {
    List<Place> others = shuffled(places);
    others.remove(place);
    List<Place> distractors =
        Stream.concat(
                others.stream().filter(other -> alike(place, other)),
                others.stream().filter(other -> !alike(place, other)))
            .limit(shape.distractors())
            .toList();
    List<String> sentences = new ArrayList<>();
    place
        .facts()
        .forEach((fact, value) -> sentences.add(fact.sentence(place.spot().name(), value)));
    for (Place other : distractors) {
      Fact fact = pick(List.of(Fact.values()));
      String value = Objects.requireNonNull(other.facts().get(fact));
      sentences.add(fact.sentence(other.spot().name(), value));
    }
    Collections.shuffle(sentences, Random.from(random));
    TreeNode spot = place.spot();
    pages.put(
        spot.path(),
        HtmlWriter.place(
            spot.name(),
            links(spot.trail()),
            sentences,
            links(distractors.stream().map(Place::spot).toList())));
  }

  private static boolean alike(Place one, Place other) {
    String first = one.spot().name().split(" ", 2)[0];
    return other.kind().equals(one.kind()) || other.spot().name().startsWith(first + " ");
  }

  private static Map<String, String> links(List<TreeNode> spots) {
    Map<String, String> links = new LinkedHashMap<>();
    spots.forEach(spot -> links.put("/" + spot.path(), spot.name()));
    return links;
  }

  private <T> List<T> shuffled(List<T> all) {
    List<T> mixed = new ArrayList<>(all);
    Collections.shuffle(mixed, Random.from(random));
    return mixed;
  }

  private <T> T pick(List<T> all) {
    return all.get(random.nextInt(all.size()));
  }

  private static String file(String name) {
    return name.toLowerCase(Locale.ROOT).replace(' ', '-');
  }

  /** Returns the name of the page of all places of a kind. */
  static String plural(String kind) {
    return kind.endsWith("y") ? kind.substring(0, kind.length() - 1) + "ies" : kind + "s";
  }
}
