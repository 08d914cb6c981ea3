import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The platforms that the root pom has a profile for, named as DJL names them.
 *
 * @param tree what is built
 * @param own platform of this machine
 * @param others those for which Maven finds a libtorch; what is built for them is not run here
 */
record ReleasePlatforms(Path tree, String own, List<String> others) {
  private static final Pattern PROFILE =
      Pattern.compile("<pytorch\\.classifier>([a-z]+-[a-z0-9_]+)<");
  private static final Pattern VERSION = Pattern.compile("<pytorch\\.version>([^<]+)<");
  private static final String MAVEN = "mvn -B -ntp -q ";

  static ReleasePlatforms of(Path tree) throws Exception {
    String pom = Files.readString(tree.resolve("pom.xml"));
    String own = own(System.getProperty("os.name"), System.getProperty("os.arch"));
    Matcher version = VERSION.matcher(pom);
    if (!version.find()) {
      throw new Mistake(1, "pom.xml names no version of libtorch");
    }
    List<String> all =
        PROFILE.matcher(pom).results().map(profile -> profile.group(1)).distinct().toList();
    if (!all.contains(own)) {
      throw new Mistake(2, "pom.xml has no profile for " + own);
    }
    List<String> others = new ArrayList<>();
    for (String platform : all) {
      if (!platform.equals(own)) {
        String jar = "ai.djl.pytorch:pytorch-native-cpu:" + version.group(1) + ":jar:" + platform;
        String get = MAVEN + "dependency:get -Dtransitive=false -Dartifact=" + jar;
        if (Commands.status(tree, get.split(" ")) == 0) {
          others.add(platform);
        } else {
          System.out.println("no libtorch for " + platform + ", no archives");
        }
      }
    }
    return new ReleasePlatforms(tree, own, List.copyOf(others));
  }

  private static String own(String system, String processor) {
    String name = system.startsWith("Mac") ? "osx" : system.startsWith("Win") ? "win" : "linux";
    return name + "-" + (processor.equals("amd64") ? "x86_64" : processor);
  }

  /** Builds the distributions and archives for {@code platform} into {@code launch/target}. */
  void build(String platform) throws Exception {
    // what another platform's build has left
    RunFiles.delete(tree.resolve("launch/target/dist/native"));
    RunFiles.delete(tree.resolve("bundles/roll.djl/target"));
    String profiles = platform.equals(own) ? "" : ",!" + own + "," + platform;
    String build = " -Dmaven.test.skip=true -Denforcer.skip=true -Dexec.skip=true package";
    Commands.call(tree, (MAVEN + "-Prelease" + profiles + build).split(" "));
  }
}
