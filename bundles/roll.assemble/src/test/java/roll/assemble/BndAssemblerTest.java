package roll.assemble;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static roll.testkit.UserErrors.userError;

import java.io.IOException;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Properties;
import java.util.stream.Stream;
import java.util.zip.ZipFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import roll.api.option.UserException;
import roll.runtime.config.LoadedConfig;
import roll.runtime.distribution.AssembledDistribution;

/** Distributions out of one whose bundles are manifests alone. */
class BndAssemblerTest {
  private static final String YAML = "exp_name: small\npretrain: MODEL\n";

  private static final List<String> NAMED =
      List.of(
          "cm",
          "game",
          "grpo",
          "gson",
          "ppo",
          "roll.djl",
          "tiny",
          "unigram",
          "worker.actor_infer",
          "worker.actor_train",
          "worker.critic",
          "worker.environment",
          "worker.reference");

  @TempDir Path folder;

  /** Returns the named bundles and those of every distribution, sorted. */
  private static List<String> needed() throws IOException {
    return Stream.concat(NAMED.stream(), Workshop.base().stream()).sorted().toList();
  }

  private AssembledDistribution assemble(Workshop workshop, String... with) throws IOException {
    return BndAssembler.assemble(
        workshop.home(), workshop.config(YAML), folder.resolve("out"), true, List.of(with));
  }

  @Test
  void takesWhatIsNamedAndNothingElse() throws IOException {
    AssembledDistribution assembly = assemble(new Workshop(folder));
    assertEquals(needed(), assembly.bundles());
    try (ZipFile jar = new ZipFile(folder.resolve("out/roll.jar").toFile())) {
      List<String> entries = jar.stream().map(e -> e.getName()).toList();
      assertTrue(entries.contains("jar/framework.jar"));
      assertTrue(entries.contains("jar/game.jar"));
      assertFalse(entries.contains("jar/chess.jar"));
      assertFalse(entries.contains("jar/rloo.jar"));
      Properties launcher = new Properties();
      launcher.load(jar.getInputStream(jar.getEntry("launcher.properties")));
      List<String> bundles = List.of(launcher.getProperty("launch.bundles").split(","));
      assertEquals(
          needed(), bundles.stream().map(b -> b.replaceAll("jar/|\\.jar", "")).sorted().toList());
      assertTrue(bundles.indexOf("jar/roll.main.jar") < bundles.indexOf("jar/cm.jar"));
      String levels = launcher.getProperty("launch.runbundles.attrs");
      assertTrue(levels.contains("game;startlevel=1"), levels);
      assertFalse(levels.contains("chess"), levels);
    }
  }

  @Test
  void saysWhy() throws IOException {
    assemble(new Workshop(folder));
    String page = Files.readString(folder.resolve("out/CONTENTS.md"));
    for (String row :
        List.of(
            "| game | 1.0.0 | 1 |  | custom_envs.Game.env_type: game |",
            "| grpo | 1.0.0 | 1 |  | adv_estimator: grpo |",
            "| gson | 1.0.0 | 1 | MIT | roll.core needs package com.google.gson |",
            "| roll.core | 1.0.0 | 1 | Apache-2.0 | every distribution |",
            "| roll.djl | 1.0.0 | 1 | Apache-2.0, LGPL-2.1-or-later | unigram needs package ai.djl"
                + " |",
            "| roll.rollout | 1.0.0 | 1 | Apache-2.0 | every distribution;"
                + " custom_envs.Game.env_manager_cls: trajectory |",
            "| models/model/config.json | 1 | the configuration names model |",
            "| native/torch.jar | 1 | libtorch, which roll.djl loads |")) {
      assertTrue(page.contains(row + "\n"), () -> row + " is not in\n" + page);
    }
  }

  @Test
  void theLicensesOfWhatIsInItAndNoOthersGoAlong() throws IOException {
    assemble(new Workshop(folder));
    String notice =
        "roll\n\n== gson 1.0.0\n- gson 2: MIT, home\n\n== native\n- torch 1: BSD, home\n";
    notice += "\n== org.apache.felix.framework 7.0.5\n- felix 7: Apache-2.0, home\n";
    notice += "\n== roll.djl 1.0.0\n- jna 5: Apache-2.0 AND LGPL-2.1-or-later, home\n";
    List<String> texts = List.of("MIT.txt", "felix-7/NOTICE", "jna-5/LGPL2.1", "torch-1/LICENSE");
    Path out = folder.resolve("out");
    assertEquals(notice, Files.readString(out.resolve("NOTICE")));
    assertEquals(texts, relative(out.resolve("licenses")));
    assertEquals("Apache", Files.readString(out.resolve("LICENSE")));
    for (String archive : List.of("out/roll.jar", "out.jar")) {
      try (ZipFile jar = new ZipFile(folder.resolve(archive).toFile())) {
        assertEquals(
            texts,
            jar.stream()
                .map(entry -> entry.getName())
                .filter(name -> name.startsWith("licenses/"))
                .map(name -> name.substring("licenses/".length()))
                .sorted()
                .toList());
        assertEquals(
            notice, new String(jar.getInputStream(jar.getEntry("NOTICE")).readAllBytes(), UTF_8));
      }
    }
  }

  private static List<String> relative(Path folder) throws IOException {
    return FileTrees.files(folder).stream()
        .map(file -> folder.relativize(file).toString())
        .toList();
  }

  @Test
  void theConfigurationStandsOnItsOwnFeet() throws IOException {
    assemble(new Workshop(folder));
    assertEquals(
        "# Assembled from small.yaml\nexp_name: small\npretrain: models/model\n",
        Files.readString(folder.resolve("out/small.yaml")));
    assertTrue(Files.exists(folder.resolve("out/models/model/config.json")));
    assertFalse(Files.exists(folder.resolve("out/models/model/trainer")), "the optimizer's state");
  }

  @Test
  void theArchiveHoldsTheSame() throws IOException {
    AssembledDistribution assembly = assemble(new Workshop(folder));
    try (FileSystem zip =
            FileSystems.newFileSystem(
                assembly.archive(), java.util.Map.of("enablePosixFileAttributes", "true"));
        Stream<Path> entries = Files.walk(zip.getPath("/"))) {
      assertEquals(
          FileTrees.files(folder.resolve("out")).stream()
              .map(file -> "/" + folder.relativize(file))
              .toList(),
          entries.filter(Files::isRegularFile).map(Path::toString).sorted().toList());
      assertEquals(
          "[OWNER_READ, OWNER_WRITE, OWNER_EXECUTE, GROUP_READ, GROUP_EXECUTE, OTHERS_READ,"
              + " OTHERS_EXECUTE]",
          new java.util.TreeSet<>(Files.getPosixFilePermissions(zip.getPath("/out/roll")))
              .toString());
    }
    assertTrue(Files.isExecutable(folder.resolve("out/roll")));
  }

  @Test
  void aDeployedBundleGoesAlong() throws IOException {
    byte[] maze = Workshop.bundle("maze", Workshop.capability("roll.env", "game"), "", "");
    byte[] other = Workshop.bundle("other", Workshop.capability("roll.env", "go"), "", "");
    Workshop workshop =
        new Workshop(folder).without("game").deploy("maze.jar", maze).deploy("other.jar", other);
    Files.writeString(folder.resolve("dist/deploy/broken.jar"), "no jar at all");
    AssembledDistribution assembly = assemble(workshop);
    assertTrue(assembly.bundles().contains("maze"));
    assertFalse(assembly.bundles().contains("other"));
    try (Stream<Path> deployed = Files.list(folder.resolve("out/deploy"))) {
      assertEquals(List.of(folder.resolve("out/deploy/maze.jar")), deployed.toList());
    }
  }

  @Test
  void furtherBundlesAreTakenByName() throws IOException {
    assertTrue(assemble(new Workshop(folder), "chess").bundles().contains("chess"));
    String page = Files.readString(folder.resolve("out/CONTENTS.md"));
    assertTrue(page.contains("| chess | 1.0.0 | 1 | LGPL-3.0-only | --with chess |"), page);
  }

  @Test
  void theSingleJarHoldsBundlesAndLibtorch() throws IOException {
    AssembledDistribution assembly = assemble(new Workshop(folder));
    try (ZipFile jar = new ZipFile(assembly.jar().toFile())) {
      assertEquals(
          "torch",
          new String(jar.getInputStream(jar.getEntry("native/torch.jar")).readAllBytes(), UTF_8));
      assertTrue(jar.getEntry("jar/game.jar") != null);
      assertTrue(jar.getEntry("jar/chess.jar") == null);
    }
  }

  @Test
  void whatNobodyOffersIsOneLine() throws IOException {
    Workshop workshop = new Workshop(folder).without("grpo");
    assertEquals(
        "assemble: no bundle of this distribution or of deploy/ provides roll.estimator"
            + " (roll.estimator=grpo) for adv_estimator: grpo",
        userError(() -> assemble(workshop)));
    assertFalse(Files.exists(folder.resolve("out")));
  }

  @Test
  void aBundleThatIsNotThereIsNamed() throws IOException {
    Workshop workshop = new Workshop(folder);
    assertEquals(
        "assemble: --with: this distribution has no bundle 'ches'; did you mean 'chess'?",
        userError(() -> assemble(workshop, "ches")));
  }

  @Test
  void nothingIsOverwritten() throws IOException {
    Workshop workshop = new Workshop(folder);
    Files.writeString(folder.resolve("out.zip"), "mine");
    assertEquals(
        "assemble: " + folder.resolve("out.zip") + " already exists",
        userError(() -> assemble(workshop)));
    Files.delete(folder.resolve("out.zip"));
    Files.writeString(Files.createDirectories(folder.resolve("out")).resolve("a"), "mine");
    assertEquals(
        "assemble: the folder " + folder.resolve("out") + " is not empty",
        userError(() -> assemble(workshop)));
    Files.delete(folder.resolve("out/a"));
    Files.delete(folder.resolve("out"));
    Files.createFile(folder.resolve("out"));
    assertEquals(
        "assemble: " + folder.resolve("out") + " is a file: expected a new or empty folder",
        userError(() -> assemble(workshop)));
    Files.delete(folder.resolve("out"));
    assertEquals(needed(), assemble(workshop).bundles());
  }

  @Test
  void aFailureLeavesNothing() throws IOException {
    Workshop workshop = new Workshop(folder);
    RunningDistribution home = workshop.home();
    LoadedConfig config = workshop.config(YAML);
    Path nowhere = Files.writeString(folder.resolve("file"), "").resolve("out");
    assertThrows(
        UserException.class, () -> BndAssembler.assemble(home, config, nowhere, false, List.of()));
    try (Stream<Path> left = Files.list(folder)) {
      assertEquals(
          List.of("dist", "file", "model"),
          left.map(p -> p.getFileName().toString()).sorted().toList());
    }
  }
}
